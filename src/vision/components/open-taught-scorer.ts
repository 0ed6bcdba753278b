import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import type { ScoreMap } from '../types.ts';
import { type NearestNeighbours, openNearestNeighbours } from './open-nearest-neighbours.ts';
import { openWeightedNearest } from './open-weighted-nearest.ts';
import { patchDistances } from './score-patches.ts';
import type { TaughtPatches } from './taught-patches.ts';

/** Patches of an image as the trained algorithm sees them, before anything was taught. */
export interface JudgedPatches {
  readonly rows: number;
  readonly columns: number;
  /** What patches are compared by, Euclidean. [rows · columns, dims] */
  readonly evidence: Matrix;
  /** Distance from what is good, in the same units. [rows · columns] */
  readonly distances: Float32Array;
}

/** What becomes of patches by what was taught. */
export interface TaughtScores {
  /** Distances from what is good, the taught patches included. [cells] */
  readonly distances: Float32Array;
  /** Raw scores, smoothed and then raised where a missed defect was taught. */
  readonly map: ScoreMap;
}

export interface TaughtScorer {
  score(judged: JudgedPatches): Promise<TaughtScores>;
  dispose(): Promise<void>;
}

const NEAREST_TO_ZERO = 1e-6;

/**
 * A patch taught as good counts as remembered: its neighbourhood is judged by the distance from it. A patch that lies
 * nearer to a missed defect than to all that is good, measured by that defect's weight, is raised, unblurred: a person
 * has said what it is.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export async function openTaughtScorer(taught: TaughtPatches, smoothing: number, threads = 1): Promise<TaughtScorer> {
  const { good, bad, weights, ceiling } = taught;
  const opened: NearestNeighbours[] = [];
  const keep = async (opening: Promise<NearestNeighbours>): Promise<NearestNeighbours> => {
    const memory = await opening;
    opened.push(memory);
    return memory;
  };
  const cleared = good.rows > 0 ? await keep(openNearestNeighbours(good, 1, threads)) : undefined;
  const missed = bad.rows > 0 ? await keep(openWeightedNearest(bad, weights, threads)) : undefined;
  return {
    async score({ rows, columns, evidence, distances: base }) {
      const near = cleared && (await patchDistances(evidence, cleared));
      const distances = near ? base.map((distance, cell) => Math.min(distance, near[cell]!)) : base;
      const map = gaussianBlur({ rows, columns, data: distances }, smoothing);
      const far = missed && (await patchDistances(evidence, missed));
      if (!far) return { distances, map };
      const raised = map.data.map((score, cell) => {
        const ratio = distances[cell]! / Math.max(far[cell]!, NEAREST_TO_ZERO);
        return Math.max(score, Math.min(ceiling, ratio * ratio));
      });
      return { distances, map: { rows, columns, data: raised } };
    },
    async dispose() {
      for (const memory of opened) await memory.dispose();
    },
  };
}
