import { highestScore, inspectMap } from '../anomaly-map/inspected-map.ts';
import { openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import { say } from '../engine-messages.ts';
import { type Matrix, stackRows } from '../math/matrix.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { type FoundCorrections, type PlacePatches, rowDistance } from './find-corrections.ts';
import { measureSample, type RefineSample, type Refining } from './refine-sample.ts';

/** Cells of known images that are checked; they bound the time, whatever the number and size of the images. */
const KNOWN_CELLS = 200_000;
const FEWEST_IMAGES = 2;
const MIN_DISTANCE = 1e-6;

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

/**
 * How much an image resembles each corrected patch: the highest ratio, over the given cells, of the distance from the
 * good patches to the distance from the corrected patch. [patches]
 * @param corrected [patches, dims] @param features of the image, [cells, dims] @param distances from good ones, [cells]
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
      const ratio = distances[cell]! / Math.max(rowDistance(corrected, row, features, cell, most), MIN_DISTANCE);
      if (ratio > ratios[row]!) ratios[row] = ratio;
    }
  return ratios;
}

export const stackPlaces = (places: readonly PlacePatches[]): Matrix => stackRows(places.map(({ patches }) => patches));

/**
 * Scores known images, as many as the budget of cells allows, before and after the false alarms are cleared, and
 * measures how much they resemble the other corrections.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function checkKnownImages(
  samples: readonly RefineSample[],
  found: FoundCorrections,
  refining: Refining,
): Promise<KnownImage[]> {
  const { model, rawLimit, margins, threads, signal, report } = refining;
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
      const { patches, frame, cells } = await measureSample(sample, refining);
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
      const counts = { done: known.length, total: samples.length };
      report({ fraction: 0.2 + (0.7 * counts.done) / counts.total, doing: say('progress.known', counts) });
    }
    return known;
  } finally {
    await before.dispose();
    await after.dispose();
  }
}

/** Safety margins that a factor may keep above the ratios of known images; the least sufficient one is taken. */
const SAFETIES = [1.2, 1.5, 2, 3, 5] as const;
/** Share of held-out known images that a safety may leave with another verdict. */
const HARMED_SHARE = 0.02;
/** A corrected patch that a known image of the other verdict resembles more than this cannot be told from it. */
const MAX_RATIO = 10;

/** For each patch the highest ratio over all known images, its image's index, and the highest over the other images. */
function highestRatios(patches: number, ratios: readonly Float32Array[]) {
  return Array.from({ length: patches }, (_, patch) => {
    const highest = { ratio: 0, image: -1, next: 0 };
    ratios.forEach((ofImage, image) => {
      const ratio = ofImage[patch]!;
      if (ratio > highest.ratio) {
        highest.next = highest.ratio;
        highest.ratio = ratio;
        highest.image = image;
      } else highest.next = Math.max(highest.next, ratio);
    });
    return highest;
  });
}

/** The least safety at which images keep their verdicts by factors from the other images: leave-one-out. */
function findSafety(highest: ReturnType<typeof highestRatios>, images: number): number {
  const allowed = Math.floor(HARMED_SHARE * images);
  const harmedAt = (safety: number): number =>
    new Set(highest.filter(({ ratio, next }) => ratio >= Math.max(1, safety * next)).map(({ image }) => image)).size;
  return SAFETIES.find((safety) => harmedAt(safety) <= allowed) ?? SAFETIES[SAFETIES.length - 1]!;
}

/** For each patch the factor that a ratio must exceed for it to count. @param ratios of each known image, [patches] */
export function weighPatches(patches: number, ratios: readonly Float32Array[]): Float32Array {
  const highest = highestRatios(patches, ratios);
  const safety = findSafety(highest, ratios.length);
  return Float32Array.from(highest, ({ ratio }) => Math.max(1, safety * ratio));
}

function withIndices(places: readonly PlacePatches[]) {
  let start = 0;
  return places.map(({ sample, patches }) => {
    const indices = Array.from({ length: patches.rows }, (_, row) => start + row);
    start += patches.rows;
    return { name: sample.name, indices };
  });
}

/** @throws VisionError `cannot_teach` with the corrected item and the known one of the other verdict that look the same */
function refuseContradictions(
  { missed, suppressed }: FoundCorrections,
  factors: Float32Array,
  known: readonly KnownImage[],
): void {
  for (const { name, indices } of withIndices(missed)) {
    const [best = 0] = indices.sort((a, b) => factors[a]! - factors[b]!);
    const [twin] = known
      .filter((image) => image.sample.good && image.missedRatios[best]! > MAX_RATIO)
      .sort((a, b) => b.missedRatios[best]! - a.missedRatios[best]!);
    if (twin) throw new VisionError('cannot_teach', say('refine.defect-like-good', { name, other: twin.sample.name }));
  }
  for (const { name, indices } of withIndices(suppressed)) {
    const twin = known.find((image) => indices.some((patch) => image.suppressedRatios[patch]! > MAX_RATIO));
    if (twin) throw new VisionError('cannot_teach', say('refine.good-like-defect', { name, other: twin.sample.name }));
  }
}

/**
 * Weighs the corrections by the known images.
 * @returns factors of the `missed` and of the `suppressed` patches, [patches] each
 * @throws VisionError `cannot_teach` where a correction contradicts a known image
 */
export function weighCorrections(found: FoundCorrections, known: readonly KnownImage[]) {
  const good = known.filter(({ sample }) => sample.good);
  const missedRatios = good.map((image) => image.missedRatios);
  const suppressedRatios = known.map((image) => image.suppressedRatios);
  const missed = weighPatches(stackPlaces(found.missed).rows, missedRatios);
  const suppressed = weighPatches(stackPlaces(found.suppressed).rows, suppressedRatios);
  refuseContradictions(found, missed, known);
  return { missed, suppressed };
}
