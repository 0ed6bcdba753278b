import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import type { Perceptron } from '../../components/perceptron.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';
import { modelArrays } from '../model-arrays.ts';

/** All that a trained classifier needs beside its backbone. */
export interface DefectClassifierState {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** Good patches, [members, axes]. */
  readonly bank: Matrix;
  /** From a patch to its classes: good, then one for each of `labels`. */
  readonly network: Perceptron;
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  /** How much the network's view counts beside the distance, 0 to 1. */
  readonly weight: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
}

const MAGIC = 'KNSCLASS';

interface Header {
  readonly layout: InputLayout;
  readonly labels: readonly (number | null)[];
  readonly weight: number;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
  readonly hidden: number;
}

export function encodeDefectClassifier(state: DefectClassifierState): Uint8Array {
  const { layout, projection, bank, network, labels, weight, smoothing } = state;
  const shapes = { dims: projection.rows, axes: projection.columns, members: bank.rows, hidden: network.first.columns };
  return encodeContainer(MAGIC, {
    header: { layout, labels, weight, smoothing, ...shapes } satisfies Header,
    arrays: {
      projection: projection.data,
      bank: bank.data,
      first: network.first.data,
      firstBias: network.firstBias,
      second: network.second.data,
      secondBias: network.secondBias,
    },
  });
}

/** @throws VisionError `invalid_model` */
export function decodeDefectClassifier(bytes: Uint8Array): DefectClassifierState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, labels, weight, smoothing, dims, axes, members, hidden } = header as unknown as Header;
  if (!Array.isArray(labels))
    throw new VisionError('invalid_model', 'The model names no classes. Import it again, or train a new one.');
  const { vector, matrix } = modelArrays(arrays);
  const outputs = labels.length + 1;
  return {
    layout,
    labels,
    weight,
    smoothing,
    projection: matrix('projection', dims, axes),
    bank: matrix('bank', members, axes),
    network: {
      first: matrix('first', axes, hidden),
      firstBias: vector('firstBias', hidden),
      second: matrix('second', hidden, outputs),
      secondBias: vector('secondBias', outputs),
    },
  };
}
