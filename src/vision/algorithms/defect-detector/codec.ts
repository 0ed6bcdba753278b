import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import type { Perceptron } from '../../components/perceptron.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';
import { inputsOf } from './cell-inputs.ts';
import type { Limits } from './judge-image.ts';

/** All that a trained detector needs beside its backbone. */
export interface DefectDetectorState {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** Good patches, [members, axes]. */
  readonly bank: Matrix;
  /** From a cell and those around it to good, one class for each of `labels`, and the ways to the defect's four sides. */
  readonly network: Perceptron;
  /** Class numbers; null: NG without a number. */
  readonly labels: readonly (number | null)[];
  readonly limits: Limits;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
}

const MAGIC = 'KNSDETEC';

interface Header {
  readonly layout: InputLayout;
  readonly labels: readonly (number | null)[];
  readonly limits: Limits;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
  readonly hidden: number;
}

export function encodeDefectDetector(state: DefectDetectorState): Uint8Array {
  const { layout, projection, bank, network, labels, limits, smoothing } = state;
  const shapes = { dims: projection.rows, axes: projection.columns, members: bank.rows, hidden: network.first.columns };
  return encodeContainer(MAGIC, {
    header: { layout, labels, limits, smoothing, ...shapes } satisfies Header,
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
export function decodeDefectDetector(bytes: Uint8Array): DefectDetectorState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, labels, limits, smoothing, dims, axes, members, hidden } = header as unknown as Header;
  if (!Array.isArray(labels))
    throw new VisionError('invalid_model', 'The model names no classes. Import it again, or train a new one.');
  const array = (name: string, length: number): Float32Array => {
    const found = arrays[name];
    if (found instanceof Float32Array && found.length === length && length > 0) return found;
    throw new VisionError(
      'invalid_model',
      `The model's part ${name} has ${found?.length ?? 'no'} values, not ${length}. Import it again, or train a new one.`,
    );
  };
  const matrix = (name: string, rows: number, columns: number): Matrix => ({
    rows,
    columns,
    data: array(name, rows * columns),
  });
  const [inputs, outputs] = [inputsOf(axes), labels.length + 5];
  return {
    layout,
    labels,
    limits,
    smoothing,
    projection: matrix('projection', dims, axes),
    bank: matrix('bank', members, axes),
    network: {
      first: matrix('first', inputs, hidden),
      firstBias: array('firstBias', hidden),
      second: matrix('second', hidden, outputs),
      secondBias: array('secondBias', outputs),
    },
  };
}
