import { highestScore, inspectMap } from '../anomaly-map/inspected-map.ts';
import type { OuterMargins } from '../anomaly-map/parse-ignore-outer.ts';
import { openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { type Matrix, stackRows } from '../math/matrix.ts';
import { throwIfCancelled } from '../vision-error.ts';
import type { FoundCorrections, PlacePatches } from './find-corrections.ts';
import { measureSample, type RefineSample } from './refine-sample.ts';

/** Cells of known images that are checked; they bound the time, whatever the number and size of the images. */
const KNOWN_CELLS = 200_000;
const FEWEST_IMAGES = 2;
const MIN_DISTANCE = 1e-6;
/** Dimensions between two looks at whether a sum of squares is too large already. */
const BLOCK = 16;

/** What a known image tells about the corrections. */
export interface KnownImage {
  readonly sample: RefineSample;
  /** Raw score of the model as it was. */
  readonly before: number;
  /** Raw score after the false alarms were cleared. */
  readonly cleared: number;
  /** How much the image resembles each missed patch, see {@link resemblance}. [missed patches] */
  readonly missedRatios: Float32Array;
  /** How much the detected places of an NG image resemble each suppressed patch. [suppressed patches] */
  readonly suppressedRatios: Float32Array;
}

export interface KnownImageCheck {
  readonly model: RefinableModel;
  readonly found: FoundCorrections;
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  readonly threads: number;
  readonly signal: AbortSignal;
  report(done: number, total: number): void;
}

/** The distance of two rows, or infinite once it is clear that it is more than `most`. */
function distanceWithin(one: Matrix, a: number, other: Matrix, b: number, most: number): number {
  const { columns } = one;
  const bound = most * most;
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    sum += (one.data[a * columns + d]! - other.data[b * columns + d]!) ** 2;
    if (d % BLOCK === 0 && sum > bound) return Number.POSITIVE_INFINITY;
  }
  return Math.sqrt(sum);
}

/**
 * How much an image resembles each corrected patch: the highest ratio, over its cells, of the distance from the good
 * patches to the distance from the corrected patch.
 * @param corrected [patches, dims]
 * @param features of the image, [cells, dims]
 * @param distances from the good patches, [cells]
 * @param cells that count
 * @returns [patches]
 */
export function resemblance(
  corrected: Matrix,
  features: Matrix,
  distances: Float32Array,
  cells: readonly number[],
): Float32Array {
  const ratios = new Float32Array(corrected.rows);
  for (let row = 0; row < corrected.rows; row++)
    for (const cell of cells) {
      // At a larger distance the ratio would not be higher.
      const most = distances[cell]! / ratios[row]!;
      const ratio = distances[cell]! / Math.max(distanceWithin(corrected, row, features, cell, most), MIN_DISTANCE);
      if (ratio > ratios[row]!) ratios[row] = ratio;
    }
  return ratios;
}

export const stackPlaces = (places: readonly PlacePatches[]): Matrix => stackRows(places.map(({ patches }) => patches));

/**
 * Scores the known images before and after the false alarms are cleared, and measures how much they resemble the other
 * corrections.
 * @returns as many images as the budget of cells allows
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function checkKnownImages(
  samples: readonly RefineSample[],
  { model, found, rawLimit, margins, threads, signal, report }: KnownImageCheck,
): Promise<KnownImage[]> {
  const missed = stackPlaces(found.missed);
  const suppressed = stackPlaces(found.suppressed);
  const before = await openCorrectedScorer(model.corrections, model.smoothing, threads);
  const after = await openCorrectedScorer(found.cleared, model.smoothing, threads);
  const known: KnownImage[] = [];
  let budget = KNOWN_CELLS;
  try {
    for (const sample of samples) {
      throwIfCancelled(signal);
      if (budget <= 0 && known.length >= FEWEST_IMAGES) break;
      const { patches, frame, cells } = await measureSample(sample, model, margins);
      const { features, distances, networkScores } = patches;
      const scoresBefore = await before.score(patches);
      const scoresAfter = await after.score(patches);
      const detected = sample.good ? [] : cells.filter((cell) => networkScores && networkScores[cell]! >= rawLimit);
      known.push({
        sample,
        before: highestScore(inspectMap(scoresBefore.map, frame, margins)),
        cleared: highestScore(inspectMap(scoresAfter.map, frame, margins)),
        missedRatios: resemblance(missed, features, scoresAfter.distances, cells),
        suppressedRatios: resemblance(suppressed, features, distances, detected),
      });
      budget -= patches.rows * patches.columns;
      report(known.length, samples.length);
    }
    return known;
  } finally {
    await before.dispose();
    await after.dispose();
  }
}
