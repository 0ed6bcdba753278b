import type { ContainerContent } from '../model-file/binary-container.ts';
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
    /** Absent where there are none. */
    readonly hushed?: number;
  };
};

interface TaughtPart {
  readonly header: TaughtHeader;
  readonly arrays: Readonly<Record<string, Float32Array>>;
}

/** A part of a model's container, empty where nothing was taught: such a model has the bytes that training gave it. */
export function encodeTaught(taught: TaughtPatches): TaughtPart {
  if (!isAnythingTaught(taught)) return { header: {}, arrays: {} };
  const { good, bad, weights, kinds, ceiling, hushed, hushWeights } = taught;
  const named = kinds.some((kind) => kind !== null) ? { kinds } : {};
  const hushes = hushed.rows > 0;
  return {
    header: {
      taught: { good: good.rows, bad: bad.rows, ceiling, ...named, ...(hushes ? { hushed: hushed.rows } : {}) },
    },
    arrays: {
      ...{ taught_good: good.data, taught_bad: bad.data, taught_weights: weights },
      ...(hushes ? { taught_hushed: hushed.data, taught_hush_weights: hushWeights } : {}),
    },
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
  const vector = (name: string, length: number): Float32Array => {
    const found = arrays[name];
    if (found instanceof Float32Array && found.length === length) return found;
    throw new VisionError('invalid_model', `What the model was taught (${name}) is damaged. Import it again.`);
  };
  const matrix = (name: string, rows: number) => ({ rows, columns: dims, data: vector(name, rows * dims) });
  const { good, bad, ceiling, hushed = 0 } = taught;
  const weights = vector('taught_weights', bad);
  const kinds: unknown = taught.kinds ?? Array.from(weights, () => null);
  const counted = [good, bad, hushed].every((count) => Number.isSafeInteger(count));
  const right = counted && Array.isArray(kinds) && kinds.length === bad && kinds.every(isKind) && ceiling >= 0;
  if (!right) throw new VisionError('invalid_model', 'What the model was taught is damaged. Import it again.');
  const none = nothingTaught(dims);
  return {
    ...{ good: matrix('taught_good', good), bad: matrix('taught_bad', bad), weights, kinds, ceiling },
    hushed: hushed === 0 ? none.hushed : matrix('taught_hushed', hushed),
    hushWeights: hushed === 0 ? none.hushWeights : vector('taught_hush_weights', hushed),
  };
}
