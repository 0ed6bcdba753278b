import Type, { type Static } from 'typebox';
import { type Matrix, stackRows } from '../math/matrix.ts';
import type { ContainerContent } from '../model-file/binary-container.ts';
import { damagedPart, LABELS, readHeader, readVector } from '../model-file/model-parts.ts';

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

const COUNT_OR_NONE = Type.Integer({ minimum: 0 });
/**
 * Fields as the file format names them. `taught` is absent without corrections, `kinds` where no missed defect has a
 * class, `hushed` where nothing is suppressed.
 */
const HEADER = Type.Object({
  taught: Type.Optional(
    Type.Object({
      good: COUNT_OR_NONE,
      bad: COUNT_OR_NONE,
      ceiling: Type.Number({ minimum: 0 }),
      kinds: Type.Optional(LABELS),
      hushed: Type.Optional(COUNT_OR_NONE),
    }),
  ),
});

/** Header and arrays for a model's container. Without corrections both are empty: the model keeps its bytes. */
export function encodeCorrections(corrections: CorrectionPatches): {
  readonly header: Static<typeof HEADER>;
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
        ...(isNamed && { kinds: [...missedLabels] }),
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

/** @param dims of the space that patches are compared in @throws VisionError `invalid_model` */
export function decodeCorrections(content: ContainerContent, dims: number): CorrectionPatches {
  const { taught } = readHeader(HEADER, content);
  if (!taught) return noCorrections(dims);
  const { good, bad, ceiling, hushed = 0, kinds = new Array<null>(bad).fill(null) } = taught;
  if (kinds.length !== bad) throw damagedPart('taught');
  const vector = (name: string, length: number): Float32Array =>
    length === 0 ? new Float32Array() : readVector(content, name, length);
  const matrix = (name: string, rows: number): Matrix => ({ rows, columns: dims, data: vector(name, rows * dims) });
  return {
    good: matrix('taught_good', good),
    missed: matrix('taught_bad', bad),
    missedWeights: vector('taught_weights', bad),
    missedLabels: kinds,
    ceiling,
    suppressed: matrix('taught_hushed', hushed),
    suppressedWeights: vector('taught_hush_weights', hushed),
  };
}
