import type { MeasuredPatches } from '../anomaly-map/map-scorer.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { openMemorySearch } from '../memory-bank/open-memory-search.ts';
import type { ScoreMap } from '../types.ts';
import type { CorrectionPatches } from './correction-patches.ts';

export interface CorrectedScores {
  /** Distances from good patches, corrected ones included. [cells] */
  readonly distances: Float32Array;
  /** Raw scores: smoothed distances, raised where a patch resembles a missed defect. */
  readonly map: ScoreMap;
  /** Class of the missed defect that raised a cell; undefined: none did. Absent where no defect was corrected. [cells] */
  readonly labels?: readonly (number | null | undefined)[];
  /** 1 where the network's scores do not count. Absent where nothing is suppressed. [cells] */
  readonly suppressed?: Uint8Array;
}

const MIN_DISTANCE = 1e-6;
/** Patches that differ by less than this share of their length are the same but for rounding. */
const SAME = 0.01;

function openMissedSearches({ missed, missedWeights, missedLabels }: CorrectionPatches, threads: number) {
  return Promise.all(
    Array.from(new Set(missedLabels), async (label) => {
      const rows = Uint32Array.from([...missedLabels.keys()].filter((row) => missedLabels[row] === label));
      const weights = Float32Array.from(rows, (row) => missedWeights[row]!);
      return { label, search: await openMemorySearch({ bank: takeRows(missed, rows), weights }, 1, threads) };
    }),
  );
}

function lengthOf({ columns, data }: Matrix, row: number): number {
  let squares = 0;
  for (let d = 0; d < columns; d++) squares += data[row * columns + d]! ** 2;
  return Math.sqrt(squares);
}

/**
 * Opens the scoring of images by distances and corrections:
 * 1. A patch corrected to good counts as one of the model's good patches.
 * 2. The network's scores count, except at patches nearer to a suppressed one than to the good ones.
 * 3. A patch nearer to a missed defect than to all good patches, by that defect's weight, is raised, without smoothing.
 * @param smoothing standard deviation of the map's blur, in cells
 */
export async function openCorrectedScorer(corrections: CorrectionPatches, smoothing: number, threads = 1) {
  const { good, suppressed, suppressedWeights, ceiling } = corrections;
  const goodSearch = good.rows > 0 ? await openMemorySearch({ bank: good }, 1, threads) : undefined;
  const suppressedSearch =
    suppressed.rows > 0
      ? await openMemorySearch({ bank: suppressed, weights: suppressedWeights }, 1, threads)
      : undefined;
  const missedSearches = await openMissedSearches(corrections, threads);

  async function suppressedCells({ features, distances }: MeasuredPatches): Promise<Uint8Array | undefined> {
    if (!suppressedSearch) return undefined;
    const found = await suppressedSearch.patchDistances(features);
    return Uint8Array.from(found, (distance, cell) =>
      distance <= distances[cell]! || distance <= SAME * lengthOf(features, cell) ? 1 : 0,
    );
  }

  return {
    async score(patches: MeasuredPatches): Promise<CorrectedScores> {
      const { rows, columns, features, factors, networkScores } = patches;
      const fromGood = goodSearch && (await goodSearch.patchDistances(features));
      const distances = fromGood
        ? patches.distances.map((distance, cell) => Math.min(distance, fromGood[cell]!))
        : patches.distances;
      const suppressedFlags = await suppressedCells(patches);
      const data = gaussianBlur({ rows, columns, data: distances }, smoothing).data.slice();
      if (factors) for (let cell = 0; cell < data.length; cell++) data[cell]! *= factors[cell]!;
      networkScores?.forEach((score, cell) => {
        if (suppressedFlags?.[cell] !== 1) data[cell] = Math.max(data[cell]!, score);
      });
      const labels = new Array<number | null | undefined>(data.length).fill(undefined);
      for (const { label, search } of missedSearches) {
        const fromMissed = await search.patchDistances(features);
        for (let cell = 0; cell < data.length; cell++) {
          const ratio = distances[cell]! / Math.max(fromMissed[cell]!, MIN_DISTANCE);
          const score = Math.min(ceiling, ratio * ratio);
          if (score <= data[cell]!) continue;
          data[cell] = score;
          labels[cell] = label;
        }
      }
      return {
        distances,
        map: { rows, columns, data },
        ...(missedSearches.length > 0 && { labels }),
        ...(suppressedFlags && { suppressed: suppressedFlags }),
      };
    },
    async dispose() {
      await goodSearch?.dispose();
      await suppressedSearch?.dispose();
      for (const { search } of missedSearches) await search.dispose();
    },
  };
}
