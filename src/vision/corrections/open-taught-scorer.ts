import type { JudgedPatches } from '../anomaly-map/patch-measure.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { type NearestNeighbours, openNearestNeighbours } from '../memory-bank/open-nearest-neighbours.ts';
import { patchDistances } from '../memory-bank/score-patches.ts';
import type { ScoreMap } from '../types.ts';
import type { TaughtPatches } from './taught-patches.ts';

/** What becomes of patches by what was taught. */
export interface TaughtScores {
  /** Distances from what is good, the taught patches included. [cells] */
  readonly distances: Float32Array;
  /** Raw scores, smoothed and then raised where a missed defect was taught. */
  readonly map: ScoreMap;
  /** Class of the missed defect that raised the cell, undefined where none did; absent where none was taught. [cells] */
  readonly kinds?: readonly (number | null | undefined)[];
  /** 1 where alarms are false by what was taught; absent where none was taught. [cells] */
  readonly hushed?: Uint8Array;
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
/** Patches that differ by less than this share of their length are the same. */
const SAME = 0.01;

/** The missed patches, each class of them by itself. */
async function openMissedKinds({ bad, weights, kinds }: TaughtPatches, threads: number): Promise<MissedKind[]> {
  const opened: MissedKind[] = [];
  for (const kind of new Set(kinds)) {
    const rows = Uint32Array.from([...kinds.keys()].filter((row) => kinds[row] === kind));
    const own = { bank: takeRows(bad, rows), weights: Float32Array.from(rows, (row) => weights[row]!) };
    opened.push({ kind, memory: await openNearestNeighbours(own, 1, threads) });
  }
  return opened;
}

/** The map raised where a missed defect is nearer than all that is good. */
async function raiseMissed(
  { map, distances }: TaughtScores,
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

/** A patch that is remembered as good and hushed as well is at no distance from either, but for rounding. */
function isHushed(distance: number, base: Float32Array, { columns, data }: Matrix, cell: number): boolean {
  if (distance <= base[cell]!) return true;
  let squares = 0;
  for (let d = 0; d < columns; d++) squares += data[cell * columns + d]! ** 2;
  return distance <= SAME * Math.sqrt(squares);
}

const withAlarms = (map: ScoreMap, alarms: Float32Array, hushed: Uint8Array | undefined): ScoreMap => ({
  ...map,
  data: map.data.map((score, cell) => (hushed?.[cell] === 1 ? score : Math.max(score, alarms[cell]!))),
});

/**
 * A patch taught as good counts as remembered: its neighbourhood is judged by the distance from it. A patch that lies
 * nearer to a missed defect than to all that is good, measured by that defect's weight, is raised, unblurred: a person
 * has said what it is. Alarms from elsewhere count, but not where they were taught to be false.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export async function openTaughtScorer(taught: TaughtPatches, smoothing: number, threads = 1): Promise<TaughtScorer> {
  const { good, ceiling, hushed: quiet, hushWeights } = taught;
  const cleared = good.rows > 0 ? await openNearestNeighbours({ bank: good }, 1, threads) : undefined;
  const hushing =
    quiet.rows > 0 ? await openNearestNeighbours({ bank: quiet, weights: hushWeights }, 1, threads) : undefined;
  const missed = await openMissedKinds(taught, threads);
  return {
    async score({ rows, columns, evidence, distances: base, factors, alarms }) {
      const near = cleared && (await patchDistances(evidence, cleared));
      const distances = near ? base.map((distance, cell) => Math.min(distance, near[cell]!)) : base;
      const smooth = gaussianBlur({ rows, columns, data: distances }, smoothing);
      const scaled = factors ? { ...smooth, data: smooth.data.map((score, cell) => score * factors[cell]!) } : smooth;
      const far = hushing && (await patchDistances(evidence, hushing));
      const hushed =
        far && Uint8Array.from(far, (distance, cell) => (isHushed(distance, base, evidence, cell) ? 1 : 0));
      const map = alarms ? withAlarms(scaled, alarms, hushed) : scaled;
      const scores = { distances, map, ...(hushed ? { hushed } : {}) };
      return missed.length === 0 ? scores : { ...scores, ...(await raiseMissed(scores, evidence, missed, ceiling)) };
    },
    async dispose() {
      await cleared?.dispose();
      await hushing?.dispose();
      for (const { memory } of missed) await memory.dispose();
    },
  };
}
