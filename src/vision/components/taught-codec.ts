import type { ContainerContent } from '../binary-container.ts';
import { VisionError } from '../vision-error.ts';
import { isAnythingTaught, nothingTaught, type TaughtPatches } from './taught-patches.ts';

/** What was taught, in the header of a model. */
export type TaughtHeader = {
  /** Absent where nothing was taught. */
  readonly taught?: {
    readonly good: number;
    readonly bad: number;
    readonly ceiling: number;
    /** Absent where no missed defect has a class. */
    readonly kinds?: readonly (number | null)[];
  };
};

interface TaughtPart {
  readonly header: TaughtHeader;
  readonly arrays: Readonly<Record<string, Float32Array>>;
}

/** A part of a model's container, empty where nothing was taught: such a model has the bytes that training gave it. */
export function encodeTaught(taught: TaughtPatches): TaughtPart {
  if (!isAnythingTaught(taught)) return { header: {}, arrays: {} };
  const { good, bad, weights, kinds, ceiling } = taught;
  const named = kinds.some((kind) => kind !== null) ? { kinds } : {};
  return {
    header: { taught: { good: good.rows, bad: bad.rows, ceiling, ...named } },
    arrays: { taught_good: good.data, taught_bad: bad.data, taught_weights: weights },
  };
}

const isKind = (kind: unknown): boolean => kind === null || Number.isSafeInteger(kind);

/**
 * @param dims of the space that patches are compared in
 * @throws VisionError `invalid_model`
 */
export function decodeTaught({ header, arrays }: ContainerContent, dims: number): TaughtPatches {
  const { taught } = header as TaughtHeader;
  if (!taught) return nothingTaught(dims);
  const { taught_good: good, taught_bad: bad, taught_weights: weights } = arrays;
  const kinds: unknown = taught.kinds ?? new Array<null>(weights?.length ?? 0).fill(null);
  const whole = good instanceof Float32Array && bad instanceof Float32Array && weights instanceof Float32Array;
  const right =
    whole &&
    good.length === taught.good * dims &&
    bad.length === taught.bad * dims &&
    weights.length === taught.bad &&
    Array.isArray(kinds) &&
    kinds.length === taught.bad &&
    kinds.every(isKind) &&
    taught.ceiling >= 0;
  if (!right) throw new VisionError('invalid_model', 'What the model was taught is damaged. Import it again.');
  return {
    good: { rows: taught.good, columns: dims, data: good },
    bad: { rows: taught.bad, columns: dims, data: bad },
    weights,
    kinds,
    ceiling: taught.ceiling,
  };
}
