import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import type { ScoreMap } from '../types.ts';
import { type NearestNeighbours, openNearestNeighbours } from './open-nearest-neighbours.ts';
import { openWeightedNearest } from './open-weighted-nearest.ts';
import { patchDistances } from './score-patches.ts';
import { takeRows } from './select-coreset.ts';
import type { TaughtPatches } from './taught-patches.ts';

/** Patches of an image as the trained algorithm sees them, before anything was taught. */
export interface JudgedPatches {
  readonly rows: number;
  readonly columns: number;
  /** What patches are compared by, Euclidean. [rows · columns, dims]; no rows where nobody asked for it */
  readonly evidence: Matrix;
  /** Distance from what is good, in the same units. [rows · columns] */
  readonly distances: Float32Array;
  /** What the algorithm multiplies the smoothed distances by; absent: 1. [rows · columns] */
  readonly factors?: Float64Array;
}

/** What becomes of patches by what was taught. */
export interface TaughtScores {
  /** Distances from what is good, the taught patches included. [cells] */
  readonly distances: Float32Array;
  /** Raw scores, smoothed and then raised where a missed defect was taught. */
  readonly map: ScoreMap;
  /** Class of the missed defect that raised the cell, undefined where none did; absent where none was taught. [cells] */
  readonly kinds?: readonly (number | null | undefined)[];
}

export interface TaughtScorer {
  score(judged: JudgedPatches): Promise<TaughtScores>;
  dispose(): Promise<void>;
}

interface MissedKind {
  readonly kind: number | null;
  readonly memory: NearestNeighbours;
}

const NEAREST_TO_ZERO = 1e-6;

/** The missed patches, each class of them by itself. */
async function openMissedKinds({ bad, weights, kinds }: TaughtPatches, threads: number): Promise<MissedKind[]> {
  const opened: MissedKind[] = [];
  for (const kind of new Set(kinds)) {
    const rows = Uint32Array.from([...kinds.keys()].filter((row) => kinds[row] === kind));
    const own = Float32Array.from(rows, (row) => weights[row]!);
    opened.push({ kind, memory: await openWeightedNearest(takeRows(bad, rows), own, threads) });
  }
  return opened;
}

/** The map raised where a missed defect is nearer than all that is good. */
async function raiseMissed(
  map: ScoreMap,
  distances: Float32Array,
  evidence: Matrix,
  missed: readonly MissedKind[],
  ceiling: number,
) {
  const raised = Float32Array.from(map.data);
  const kinds = new Array<number | null | undefined>(raised.length).fill(undefined);
  for (const { kind, memory } of missed) {
    const far = await patchDistances(evidence, memory);
    for (let cell = 0; cell < raised.length; cell++) {
      const ratio = distances[cell]! / Math.max(far[cell]!, NEAREST_TO_ZERO);
      const score = Math.min(ceiling, ratio * ratio);
      if (score <= raised[cell]!) continue;
      raised[cell] = score;
      kinds[cell] = kind;
    }
  }
  return { map: { ...map, data: raised }, kinds };
}

/**
 * A patch taught as good counts as remembered: its neighbourhood is judged by the distance from it. A patch that lies
 * nearer to a missed defect than to all that is good, measured by that defect's weight, is raised, unblurred: a person
 * has said what it is.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export async function openTaughtScorer(taught: TaughtPatches, smoothing: number, threads = 1): Promise<TaughtScorer> {
  const { good, ceiling } = taught;
  const cleared = good.rows > 0 ? await openNearestNeighbours(good, 1, threads) : undefined;
  const missed = await openMissedKinds(taught, threads);
  return {
    async score({ rows, columns, evidence, distances: base, factors }) {
      const near = cleared && (await patchDistances(evidence, cleared));
      const distances = near ? base.map((distance, cell) => Math.min(distance, near[cell]!)) : base;
      const smooth = gaussianBlur({ rows, columns, data: distances }, smoothing);
      const map = factors ? { ...smooth, data: smooth.data.map((score, cell) => score * factors[cell]!) } : smooth;
      if (missed.length === 0) return { distances, map };
      return { distances, ...(await raiseMissed(map, distances, evidence, missed, ceiling)) };
    },
    async dispose() {
      await cleared?.dispose();
      for (const { memory } of missed) await memory.dispose();
    },
  };
}
