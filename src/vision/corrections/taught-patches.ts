import { type Matrix, stackRows } from '../math/matrix.ts';

/** What people taught a trained model afterwards: patches that are good after all, and patches of defects it missed. */
export interface TaughtPatches {
  /** [good, dims] */
  readonly good: Matrix;
  /** [bad, dims] */
  readonly bad: Matrix;
  /**
   * [bad]: w of each missed patch. A patch at distance d from what is good and e from the missed one is raised to
   * (d / (w · e))², which is a raw score.
   */
  readonly weights: Float32Array;
  /** [bad]: number of the class that a person gave the defect; null without one, or where the model knows no classes. */
  readonly kinds: readonly (number | null)[];
  /** Raw score that no patch is raised above. */
  readonly ceiling: number;
  /** Patches at which an alarm that does not come from distances was false. [hushed, dims] */
  readonly hushed: Matrix;
  /** [hushed]: w of each. At a patch at distance d from what is good and e from a hushed one, w · e ≤ d, alarms are false. */
  readonly hushWeights: Float32Array;
}

export function nothingTaught(dims: number): TaughtPatches {
  const none = { rows: 0, columns: dims, data: new Float32Array() };
  const weights = new Float32Array();
  return { good: none, bad: none, weights, kinds: [], ceiling: 0, hushed: none, hushWeights: weights };
}

export const isAnythingTaught = ({ good, bad, hushed }: TaughtPatches): boolean =>
  good.rows + bad.rows + hushed.rows > 0;

function joinVectors(earlier: Float32Array, later: Float32Array): Float32Array {
  const joined = new Float32Array(earlier.length + later.length);
  joined.set(earlier);
  joined.set(later, earlier.length);
  return joined;
}

/** Both, the earlier ones first. */
export function joinTaught(earlier: TaughtPatches, later: TaughtPatches): TaughtPatches {
  return {
    good: stackRows([earlier.good, later.good]),
    bad: stackRows([earlier.bad, later.bad]),
    weights: joinVectors(earlier.weights, later.weights),
    kinds: [...earlier.kinds, ...later.kinds],
    ceiling: Math.max(earlier.ceiling, later.ceiling),
    hushed: stackRows([earlier.hushed, later.hushed]),
    hushWeights: joinVectors(earlier.hushWeights, later.hushWeights),
  };
}
