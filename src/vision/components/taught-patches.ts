import type { Matrix } from '../onnx/open-matrix-product.ts';
import { stackRows } from './open-patch-source.ts';

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
}

export function nothingTaught(dims: number): TaughtPatches {
  const none = { rows: 0, columns: dims, data: new Float32Array() };
  return { good: none, bad: none, weights: new Float32Array(), kinds: [], ceiling: 0 };
}

export const isAnythingTaught = ({ good, bad }: TaughtPatches): boolean => good.rows + bad.rows > 0;

/** Both, the earlier ones first. */
export function joinTaught(earlier: TaughtPatches, later: TaughtPatches): TaughtPatches {
  const weights = new Float32Array(earlier.weights.length + later.weights.length);
  weights.set(earlier.weights);
  weights.set(later.weights, earlier.weights.length);
  return {
    good: stackRows([earlier.good, later.good]),
    bad: stackRows([earlier.bad, later.bad]),
    weights,
    kinds: [...earlier.kinds, ...later.kinds],
    ceiling: Math.max(earlier.ceiling, later.ceiling),
  };
}
