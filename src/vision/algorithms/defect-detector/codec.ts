import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import { biasName, type ConvShape, weightCount, weightName } from '../../components/conv-network.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';
import { modelArrays } from '../model-arrays.ts';
import type { ColourScale, DetectorNetwork } from './detector-network.ts';
import type { Limits } from './judge-image.ts';

/** All that a trained detector needs beside its backbone. */
export interface DefectDetectorState {
  /** How images come to the backbone, for the memory. */
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** Good patches, [members, axes]. */
  readonly bank: Matrix;
  /** From pixels to good, one class for each of `labels`, and the ways to the defect's four sides. */
  readonly detector: DetectorNetwork;
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  readonly limits: Limits;
  /** Standard deviation of the distances' blur, in cells. */
  readonly smoothing: number;
}

const MAGIC = 'KNSDETC2';

interface Header {
  readonly layout: InputLayout;
  readonly labels: readonly (number | null)[];
  readonly limits: Limits;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
  readonly shapes: readonly ConvShape[];
  readonly colours: ColourScale;
  readonly pixels: InputLayout;
}

export function encodeDefectDetector(state: DefectDetectorState): Uint8Array {
  const { layout, projection, bank, detector, labels, limits, smoothing } = state;
  const { shapes, weights, biases } = detector.network;
  const sizes = { dims: projection.rows, axes: projection.columns, members: bank.rows };
  const { colours, layout: pixels } = detector;
  const layers = shapes.flatMap((_, layer) => [
    [weightName(layer), weights[layer] ?? new Float32Array()] as const,
    [biasName(layer), biases[layer] ?? new Float32Array()] as const,
  ]);
  return encodeContainer(MAGIC, {
    header: { layout, labels, limits, smoothing, ...sizes, shapes, colours, pixels } satisfies Header,
    arrays: { projection: projection.data, bank: bank.data, ...Object.fromEntries(layers) },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeDefectDetector(bytes: Uint8Array): DefectDetectorState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, labels, limits, smoothing, dims, axes, members, shapes, colours, pixels } =
    header as unknown as Header;
  if (!Array.isArray(labels) || !Array.isArray(shapes))
    throw new VisionError('invalid_model', 'The model names no classes. Import it again, or train a new one.');
  const { vector, matrix } = modelArrays(arrays);
  const weights = shapes.map((shape, layer) => vector(weightName(layer), weightCount(shape)));
  const biases = shapes.map(({ outputs }, layer) => vector(biasName(layer), outputs));
  return {
    layout,
    labels,
    limits,
    smoothing,
    projection: matrix('projection', dims, axes),
    bank: matrix('bank', members, axes),
    detector: { network: { shapes, weights, biases }, colours, layout: pixels },
  };
}
