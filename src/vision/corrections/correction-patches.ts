import { say } from '../engine-messages.ts';
import { type Matrix, stackRows } from '../math/matrix.ts';
import type { ContainerContent } from '../model-file/binary-container.ts';
import { VisionError } from '../vision-error.ts';

/** What people corrected after the training: patches that are good after all, and patches of defects that were missed. */
export interface CorrectionPatches {
  /** [good, dims] */
  readonly good: Matrix;
  /** [missed, dims] */
  readonly missed: Matrix;
  /**
   * [missed]: weight w of each missed patch. A patch at distance d from the good ones and e from the missed one gets
   * the raw score (d / (w · e))².
   */
  readonly missedWeights: Float32Array;
  /** [missed]: class number that a person gave the defect; null: no class, or the model knows no classes. */
  readonly missedLabels: readonly (number | null)[];
  /** A missed patch raises no score above this one. */
  readonly ceiling: number;
  /** Patches where the network of a detector raised a false alarm. [suppressed, dims] */
  readonly suppressed: Matrix;
  /**
   * [suppressed]: weight w of each. The network does not count at a patch at distance d from the good ones and e from
   * the suppressed one where w · e ≤ d.
   */
  readonly suppressedWeights: Float32Array;
}

export function noCorrections(dims: number): CorrectionPatches {
  const none = { rows: 0, columns: dims, data: new Float32Array() };
  return {
    good: none,
    missed: none,
    missedWeights: new Float32Array(),
    missedLabels: [],
    ceiling: 0,
    suppressed: none,
    suppressedWeights: new Float32Array(),
  };
}

export const hasCorrections = ({ good, missed, suppressed }: CorrectionPatches): boolean =>
  good.rows + missed.rows + suppressed.rows > 0;

/** Both, the earlier ones first. */
export function joinCorrections(earlier: CorrectionPatches, later: CorrectionPatches): CorrectionPatches {
  const join = (a: Float32Array, b: Float32Array): Float32Array => Float32Array.of(...a, ...b);
  return {
    good: stackRows([earlier.good, later.good]),
    missed: stackRows([earlier.missed, later.missed]),
    missedWeights: join(earlier.missedWeights, later.missedWeights),
    missedLabels: [...earlier.missedLabels, ...later.missedLabels],
    ceiling: Math.max(earlier.ceiling, later.ceiling),
    suppressed: stackRows([earlier.suppressed, later.suppressed]),
    suppressedWeights: join(earlier.suppressedWeights, later.suppressedWeights),
  };
}

/** The corrections in the header of a model. The names are those of the file format. */
export type CorrectionsHeader = {
  /** Absent where nothing was corrected. */
  readonly taught?: {
    readonly good: number;
    readonly bad: number;
    readonly ceiling: number;
    /** Absent where no missed defect has a class. */
    readonly kinds?: readonly (number | null)[];
    /** Absent where nothing is suppressed. */
    readonly hushed?: number;
  };
};

/** Header and arrays for a model's container. Without corrections both are empty: the model keeps its bytes. */
export function encodeCorrections(corrections: CorrectionPatches): {
  readonly header: CorrectionsHeader;
  readonly arrays: Readonly<Record<string, Float32Array>>;
} {
  if (!hasCorrections(corrections)) return { header: {}, arrays: {} };
  const { good, missed, missedWeights, missedLabels, ceiling, suppressed, suppressedWeights } = corrections;
  const isNamed = missedLabels.some((label) => label !== null);
  const isSuppressing = suppressed.rows > 0;
  return {
    header: {
      taught: {
        good: good.rows,
        bad: missed.rows,
        ceiling,
        ...(isNamed && { kinds: missedLabels }),
        ...(isSuppressing && { hushed: suppressed.rows }),
      },
    },
    arrays: {
      taught_good: good.data,
      taught_bad: missed.data,
      taught_weights: missedWeights,
      ...(isSuppressing && { taught_hushed: suppressed.data, taught_hush_weights: suppressedWeights }),
    },
  };
}

/**
 * @param dims of the space that patches are compared in
 * @throws VisionError `invalid_model`
 */
export function decodeCorrections({ header, arrays }: ContainerContent, dims: number): CorrectionPatches {
  const { taught } = header as CorrectionsHeader;
  if (!taught) return noCorrections(dims);
  const vector = (name: string, length: number): Float32Array => {
    if (length === 0) return new Float32Array();
    const found = arrays[name];
    if (found instanceof Float32Array && found.length === length) return found;
    throw new VisionError('invalid_model', say('model.damaged', { part: name }));
  };
  const { good, bad, ceiling, hushed = 0 } = taught;
  const missedWeights = vector('taught_weights', bad);
  const labels: unknown = taught.kinds ?? Array.from(missedWeights, () => null);
  const isLabel = (label: unknown): boolean => label === null || Number.isSafeInteger(label);
  const isValid =
    [good, bad, hushed].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    Array.isArray(labels) &&
    labels.length === bad &&
    labels.every(isLabel) &&
    ceiling >= 0;
  if (!isValid) throw new VisionError('invalid_model', say('model.damaged', { part: 'corrections' }));
  const matrix = (name: string, rows: number): Matrix => ({ rows, columns: dims, data: vector(name, rows * dims) });
  return {
    good: matrix('taught_good', good),
    missed: matrix('taught_bad', bad),
    missedWeights,
    missedLabels: labels,
    ceiling,
    suppressed: matrix('taught_hushed', hushed),
    suppressedWeights: vector('taught_hush_weights', hushed),
  };
}
