import { decodeContainer, encodeContainer } from '../../binary-container.ts';
import { isAnythingTaught, nothingTaught, type TaughtPatches } from '../../components/taught-patches.ts';
import type { InputLayout } from '../../features/input-layout.ts';
import type { Matrix } from '../../onnx/open-matrix-product.ts';
import { VisionError } from '../../vision-error.ts';

/** All that a trained PatchCore needs beside its network. */
export interface PatchcoreState {
  readonly layout: InputLayout;
  /** [dims, axes] */
  readonly projection: Matrix;
  /** [members, axes] */
  readonly bank: Matrix;
  readonly neighbours: number;
  /** Standard deviation of the map's blur, in cells. */
  readonly smoothing: number;
  /** What it was taught after training. */
  readonly taught: TaughtPatches;
}

const MAGIC = 'KNSPTCHC';

interface Header {
  readonly layout: InputLayout;
  readonly neighbours: number;
  readonly smoothing: number;
  readonly dims: number;
  readonly axes: number;
  readonly members: number;
  /** Absent where nothing was taught. */
  readonly taught?: { readonly good: number; readonly bad: number; readonly ceiling: number };
}

export function encodePatchcore(state: PatchcoreState): Uint8Array {
  const { layout, projection, bank, neighbours, smoothing, taught } = state;
  const shapes = { dims: projection.rows, axes: projection.columns, members: bank.rows };
  const { good, bad, weights, ceiling } = taught;
  const learned = isAnythingTaught(taught);
  const counts = learned ? { taught: { good: good.rows, bad: bad.rows, ceiling } } : {};
  const patches = learned ? { taught_good: good.data, taught_bad: bad.data, taught_weights: weights } : {};
  return encodeContainer(MAGIC, {
    header: { layout, neighbours, smoothing, ...shapes, ...counts } satisfies Header,
    arrays: { projection: projection.data, bank: bank.data, ...patches },
  });
}

type Arrays = ReturnType<typeof decodeContainer>['arrays'];

function decodeTaught({ axes, taught }: Header, arrays: Arrays): TaughtPatches {
  if (!taught) return nothingTaught(axes);
  const { taught_good: good, taught_bad: bad, taught_weights: weights } = arrays;
  const whole = good instanceof Float32Array && bad instanceof Float32Array && weights instanceof Float32Array;
  const right =
    whole &&
    good.length === taught.good * axes &&
    bad.length === taught.bad * axes &&
    weights.length === taught.bad &&
    taught.ceiling >= 0;
  if (!right) throw new VisionError('invalid_model', 'What the model was taught is damaged. Import it again.');
  return {
    good: { rows: taught.good, columns: axes, data: good },
    bad: { rows: taught.bad, columns: axes, data: bad },
    weights,
    ceiling: taught.ceiling,
  };
}

/** @throws VisionError `invalid_model` */
export function decodePatchcore(bytes: Uint8Array): PatchcoreState {
  const { header, arrays } = decodeContainer(MAGIC, bytes);
  const { layout, neighbours, smoothing, dims, axes, members } = header as unknown as Header;
  const { projection, bank } = arrays;
  if (!(projection instanceof Float32Array && bank instanceof Float32Array))
    throw new VisionError('invalid_model', 'The model has no memory bank. Import it again, or train a new one.');
  if (!fits(projection, dims, axes) || !fits(bank, members, axes) || !(neighbours >= 1 && smoothing >= 0))
    throw new VisionError('invalid_model', 'The parts of the model do not fit together. Import it again.');
  return {
    layout,
    neighbours,
    smoothing,
    projection: { rows: dims, columns: axes, data: projection },
    bank: { rows: members, columns: axes, data: bank },
    taught: decodeTaught(header as unknown as Header, arrays),
  };
}

const fits = (data: Float32Array, rows: number, columns: number): boolean =>
  rows >= 1 && columns >= 1 && rows * columns === data.length;
