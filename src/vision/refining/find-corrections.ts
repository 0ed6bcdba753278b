import { cellsInRegion, toPreparedRegions } from '../algorithms/supervised/labelled-regions.ts';
import { type CorrectedScores, openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import { type CorrectionPatches, joinCorrections, noCorrections } from '../corrections/correction-patches.ts';
import { say } from '../engine-messages.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { VisionError } from '../vision-error.ts';
import { groupByItem, type MeasuredImage, type RefineSample, type Refining } from './refine-sample.ts';

/** Scores of a false alarm are lowered to this share of the threshold, so that similar places pass as well. */
const CLEARED_SHARE = 0.75;
/** Patches kept of each missed defect: those with the highest scores. */
const PATCHES_PER_DEFECT = 5;

export interface PlacePatches {
  readonly sample: RefineSample;
  /** [patches, dims] */
  readonly patches: Matrix;
}

export interface MissedDefect extends PlacePatches {
  readonly label: number | null;
}

export type FoundCorrections = Awaited<ReturnType<typeof findCorrections>>;

/** Dimensions between two checks whether the sum of squares is too large already. */
const BLOCK = 16;

/** Euclidean distance of two rows, or infinite as soon as a part of it is more than `most`. */
export function rowDistance(one: Matrix, a: number, other: Matrix, b: number, most = Number.POSITIVE_INFINITY): number {
  const { columns } = one;
  let sum = 0;
  for (let d = 0; d < columns; d++) {
    sum += (one.data[a * columns + d]! - other.data[b * columns + d]!) ** 2;
    if (d % BLOCK === 0 && sum > most * most) return Number.POSITIVE_INFINITY;
  }
  return Math.sqrt(sum);
}

/**
 * Greedy k-centre cover: again and again the cell that is farthest from all good patches, down to `radius`.
 * @param features [cells, dims] @param distances from the good patches, [cells]
 */
export function coverCells(
  features: Matrix,
  distances: Float32Array,
  cells: readonly number[],
  radius: number,
): Uint32Array {
  const uncovered = new Map(cells.map((cell) => [cell, distances[cell]!]));
  const chosen: number[] = [];
  for (;;) {
    let farthest = -1;
    let most = radius;
    for (const [cell, distance] of uncovered) {
      if (distance <= most) continue;
      farthest = cell;
      most = distance;
    }
    if (farthest < 0) return Uint32Array.from(chosen);
    chosen.push(farthest);
    uncovered.delete(farthest);
    for (const [cell, distance] of uncovered) {
      if (distance <= radius) uncovered.delete(cell);
      else uncovered.set(cell, Math.min(distance, rowDistance(features, cell, features, farthest)));
    }
  }
}

/** The `count` cells with the highest values, in falling order; equal ones in their order. */
export function highestCells(values: Float32Array, cells: readonly number[], count: number): Uint32Array {
  const sorted = [...cells].sort((a, b) => values[b]! - values[a]! || a - b);
  return Uint32Array.from(sorted.slice(0, count));
}

const highestScore = ({ map }: CorrectedScores, cells: readonly number[]): number =>
  cells.reduce((most, cell) => Math.max(most, map.data[cell]!), 0);

async function scoreWith(corrections: CorrectionPatches, { patches }: MeasuredImage, { model, threads }: Refining) {
  const scorer = await openCorrectedScorer(corrections, model.smoothing, threads);
  return scorer.score(patches).finally(() => scorer.dispose());
}

/** The patches that make a good image NG; undefined where it passes. */
async function findFalseAlarm(earlier: CorrectionPatches, image: MeasuredImage, refining: Refining) {
  const { features, factors, networkScores } = image.patches;
  const scores = await scoreWith(earlier, image, refining);
  if (highestScore(scores, image.cells) < refining.rawLimit) return undefined;
  const enough = CLEARED_SHARE * refining.rawLimit;
  // Smoothing never raises a distance above its highest neighbour, so this radius is small enough for all cells.
  const radius = enough / (factors?.reduce((most, factor) => Math.max(most, factor)) ?? 1);
  const covered = coverCells(features, scores.distances, image.cells, radius);
  // Cells that only an earlier missed defect raised are near to good patches already.
  const raised = image.cells.filter(
    (cell) =>
      scores.labels?.[cell] !== undefined && scores.map.data[cell]! >= enough && scores.distances[cell]! <= radius,
  );
  const alarms = image.cells.filter(
    (cell) => networkScores && networkScores[cell]! >= enough && scores.suppressed?.[cell] !== 1,
  );
  return {
    good: takeRows(features, Uint32Array.from([...covered, ...raised])),
    suppressed: takeRows(features, Uint32Array.from(alarms)),
  };
}

function markedPlaces({ sample, frame, patches, cells }: MeasuredImage) {
  const inspected = new Set(cells);
  const grid = { rows: patches.rows, columns: patches.columns, ...frame.image };
  return toPreparedRegions(sample.regions, frame).map((region) => ({
    label: region.label,
    cells: cellsInRegion(region, grid).filter((cell) => inspected.has(cell)),
  }));
}

/**
 * What the model missed of an NG item: the rectangles without an alarm, or, without rectangles, the highest scores of
 * the item.
 * @throws VisionError `cannot_teach` where none of it is inspected
 */
async function findMissedDefects(
  corrections: CorrectionPatches,
  images: readonly MeasuredImage[],
  refining: Refining,
): Promise<MissedDefect[]> {
  const missed: MissedDefect[] = [];
  const scored: { image: MeasuredImage; scores: CorrectedScores; highest: number }[] = [];
  const highestPatches = ({ patches }: MeasuredImage, { map }: CorrectedScores, cells: readonly number[]): Matrix =>
    takeRows(patches.features, highestCells(map.data, cells, PATCHES_PER_DEFECT));
  for (const image of images) {
    const scores = await scoreWith(corrections, image, refining);
    scored.push({ image, scores, highest: highestScore(scores, image.cells) });
    for (const { label, cells } of markedPlaces(image))
      if (cells.length > 0 && highestScore(scores, cells) < refining.rawLimit)
        missed.push({ sample: image.sample, label, patches: highestPatches(image, scores, cells) });
  }
  const [worst] = scored.sort((a, b) => b.highest - a.highest);
  if (missed.length > 0 || !worst || worst.highest >= refining.rawLimit) return missed;
  const { image, scores } = worst;
  const { sample, cells } = image;
  if (cells.length === 0 || images.some((each) => each.sample.regions.length > 0))
    throw new VisionError('cannot_teach', say('refine.not-inspected', { name: sample.name }));
  return [{ sample, label: null, patches: highestPatches(image, scores, cells) }];
}

/** Finds the patches of each corrected item. False alarms come first, as they decide what counts as good. */
export async function findCorrections(images: readonly MeasuredImage[], refining: Refining) {
  // The model's earlier corrections and the patches of false alarms.
  let cleared = refining.model.corrections;
  const missed: MissedDefect[] = [];
  // Places where the network of a detector raised a false alarm.
  const suppressed: PlacePatches[] = [];
  const clearedItems: string[] = [];
  const missedItems: string[] = [];
  // Items on which the model and the person agree.
  const alreadyRight: string[] = [];
  const items = groupByItem(images).map((item) => ({ item, first: item[0]!.sample }));
  for (const { item, first } of items.filter((one) => one.first.good)) {
    let hasAlarm = false;
    for (const image of item) {
      const alarm = await findFalseAlarm(cleared, image, refining);
      if (!alarm) continue;
      hasAlarm = true;
      cleared = joinCorrections(cleared, { ...noCorrections(alarm.good.columns), good: alarm.good });
      if (alarm.suppressed.rows > 0) suppressed.push({ sample: image.sample, patches: alarm.suppressed });
    }
    (hasAlarm ? clearedItems : alreadyRight).push(first.name);
  }
  for (const { item, first } of items.filter((one) => !one.first.good)) {
    const found = await findMissedDefects(cleared, item, refining);
    missed.push(...found);
    (found.length > 0 ? missedItems : alreadyRight).push(first.name);
  }
  return { cleared, missed, suppressed, clearedItems, missedItems, alreadyRight };
}
