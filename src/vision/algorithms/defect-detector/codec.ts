import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import { biasName, type ConvShape, weightCount, weightName } from '../../components/conv-network.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';
import { modelArrays } from '../model-arrays.ts';
import type { ColourScale, DetectorNetwork } from './detector-network.ts';
import type { Limits } from './judge-image.ts';
import type { View } from './merge-views.ts';

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
  readonly views: readonly View[];
}

export function encodeDefectDetector(state: DefectDetectorState): Uint8Array {
  const { layout, projection, bank, detector, labels, limits, smoothing } = state;
  const { shapes, weights, biases } = detector.network;
  const sizes = { dims: projection.rows, axes: projection.columns, members: bank.rows };
  const { colours, layout: pixels, views } = detector;
  const layers = shapes.flatMap((_, layer) => [
    [weightName(layer), weights[layer] ?? new Float32Array()] as const,
    [biasName(layer), biases[layer] ?? new Float32Array()] as const,
  ]);
  return encodeContainer(MAGIC, {
    header: { layout, labels, limits, smoothing, ...sizes, shapes, colours, pixels, views } satisfies Header,
    arrays: { projection: projection.data, bank: bank.data, ...Object.fromEntries(layers) },
  });
}

const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/** Whether the layers fit together, from three colours to `outputs`. */
function isNetwork(shapes: unknown, outputs: number): shapes is readonly ConvShape[] {
  if (!Array.isArray(shapes) || shapes.length === 0) return false;
  const layers = shapes as readonly (ConvShape | null | undefined)[];
  return (
    layers.at(-1)?.outputs === outputs &&
    layers.every(
      (shape, layer) =>
        shape?.inputs === (layer === 0 ? 3 : layers[layer - 1]?.outputs) &&
        isCount(shape?.outputs, 4096) &&
        isCount(shape?.kernel, 15) &&
        isCount(shape?.stride, 2) &&
        isCount(shape?.dilation, 16) &&
        (shape?.residual === false || shape?.inputs === shape?.outputs),
    )
  );
}

function areColours(colours: unknown): colours is ColourScale {
  const { mean, spread } = (colours ?? {}) as Partial<ColourScale>;
  return Array.isArray(mean) && mean.length === 3 && mean.every(Number.isFinite) && Number(spread) > 0;
}

function areViews(views: unknown): views is readonly View[] {
  const all = (Array.isArray(views) ? views : []) as readonly (View | null | undefined)[];
  return all.length > 0 && all.every((view) => (view?.turn === 0 || view?.turn === 2) && view.mirrored !== undefined);
}

/** @throws VisionError `invalid_model` */
export function decodeDefectDetector(bytes: Uint8Array): DefectDetectorState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, labels, limits, smoothing, dims, axes, members, shapes, colours, pixels, views } =
    header as unknown as Header;
  if (!Array.isArray(labels))
    throw new VisionError('invalid_model', 'The model names no classes. Import it again, or train a new one.');
  if (!isNetwork(shapes, labels.length + 5) || !areColours(colours) || !areViews(views))
    throw new VisionError(
      'invalid_model',
      'The model has no network for defects. Import it again, or train a new one.',
    );
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
    detector: { network: { shapes, weights, biases }, colours, layout: pixels, views },
  };
}
