import { cellsInRegion, toPreparedRegions } from '../algorithms/supervised/labelled-regions.ts';
import { type CorrectedScores, openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import { type CorrectionPatches, joinCorrections, noCorrections } from '../corrections/correction-patches.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { type Matrix, takeRows } from '../math/matrix.ts';
import { VisionError } from '../vision-error.ts';
import { coverCells, highestCells } from './choose-taught-patches.ts';
import { groupByItem, type JudgedImage, type JudgedSample } from './judged-sample.ts';

/** A false alarm is cleared down to this share of the limit: what looks much like it is cleared as well. */
const CLEARED_TO = 0.75;
/** Patches of a missed defect that are remembered: those that look least like good ones. */
const PATCHES_A_SPOT = 5;

/** Places of an image that are taught. */
export interface Spot {
  readonly sample: JudgedSample;
  /** [patches, dims] */
  readonly patches: Matrix;
}

/** A place where a defect was missed. */
export interface MissedSpot extends Spot {
  /** Number of the class that the person gave it. */
  readonly kind: number | null;
}

export interface Lessons {
  /** Patches of false alarms, with what was taught before. */
  readonly taught: CorrectionPatches;
  readonly spots: readonly MissedSpot[];
  /** Where alarms that do not come from distances were false. */
  readonly hushes: readonly Spot[];
  /** Items that are taught, and those judged rightly without. */
  readonly clearedItems: readonly string[];
  readonly missedItems: readonly string[];
  readonly alreadyRight: readonly string[];
}

interface Scoring {
  readonly model: RefinableModel;
  /** Raw score from which an image is NG. */
  readonly rawLimit: number;
  readonly threads: number;
}

async function scoreWith(taught: CorrectionPatches, image: JudgedImage, { model, threads }: Scoring) {
  const scorer = await openCorrectedScorer(taught, model.smoothing, threads);
  try {
    return await scorer.score(image.judged);
  } finally {
    await scorer.dispose();
  }
}

const highest = ({ map }: CorrectedScores, cells: readonly number[]): number =>
  cells.reduce((most, cell) => Math.max(most, map.data[cell]!), 0);

/** The image's patches that make it NG: as good ones, and those with other alarms. undefined where it is not NG. */
async function clearImage(taught: CorrectionPatches, image: JudgedImage, scoring: Scoring) {
  const { rawLimit } = scoring;
  const scores = await scoreWith(taught, image, scoring);
  if (highest(scores, image.cells) < rawLimit) return undefined;
  const { features: evidence, factors, networkScores: alarms } = image.judged;
  const enough = CLEARED_TO * rawLimit;
  // Whatever its neighbours are blurred to, no cell is multiplied by more than this.
  const radius = enough / (factors?.reduce((most, factor) => Math.max(most, factor)) ?? 1);
  const covered = coverCells(evidence, scores.distances, image.cells, radius);
  // Cells that only an earlier lesson raised lie near to what is good already.
  const isRaised = (cell: number): boolean =>
    scores.labels?.[cell] !== undefined && scores.map.data[cell]! >= enough && scores.distances[cell]! <= radius;
  const good = takeRows(evidence, Uint32Array.from([...covered, ...image.cells.filter(isRaised)]));
  const loud = image.cells.filter((cell) => alarms && alarms[cell]! >= enough && scores.suppressed?.[cell] !== 1);
  return {
    taught: joinCorrections(taught, { ...noCorrections(evidence.columns), good }),
    hush: { sample: image.sample, patches: takeRows(evidence, Uint32Array.from(loud)) },
  };
}

/** Each place where the person saw a defect, one for each rectangle. */
function markedPlaces({ sample, frame, judged, cells }: JudgedImage): { kind: number | null; cells: number[] }[] {
  const inspected = new Set(cells);
  const grid = { rows: judged.rows, columns: judged.columns, ...frame.image };
  return toPreparedRegions(sample.regions, frame).map((region) => ({
    kind: region.label,
    cells: cellsInRegion(region, grid).filter((cell) => inspected.has(cell)),
  }));
}

/**
 * What the model missed of an NG item; without rectangles, the places that look least like good ones.
 * @throws VisionError `cannot_teach` where none of it is inspected
 */
async function missedSpots(
  taught: CorrectionPatches,
  images: readonly JudgedImage[],
  scoring: Scoring,
): Promise<MissedSpot[]> {
  const spots: MissedSpot[] = [];
  const whole: { image: JudgedImage; scores: CorrectedScores; score: number }[] = [];
  type Place = { readonly kind: number | null; readonly cells: readonly number[] };
  const spotOf = (image: JudgedImage, scores: CorrectedScores, { kind, cells }: Place): MissedSpot => {
    const chosen = highestCells(scores.map.data, cells, PATCHES_A_SPOT);
    return { sample: image.sample, patches: takeRows(image.judged.features, chosen), kind };
  };
  for (const image of images) {
    const scores = await scoreWith(taught, image, scoring);
    whole.push({ image, scores, score: highest(scores, image.cells) });
    for (const place of markedPlaces(image))
      if (place.cells.length > 0 && highest(scores, place.cells) < scoring.rawLimit)
        spots.push(spotOf(image, scores, place));
  }
  const [worst] = whole.sort((a, b) => b.score - a.score);
  if (spots.length > 0 || !worst || worst.score >= scoring.rawLimit) return spots;
  const { image, scores } = worst;
  if (image.cells.length === 0 || images.some(({ sample }) => sample.regions.length > 0))
    throw new VisionError(
      'cannot_teach',
      `The defect of "${image.sample.name}" lies where nothing is inspected: make ignore_outer or the ignored areas smaller.`,
    );
  return [spotOf(image, scores, { kind: null, cells: image.cells })];
}

/** What there is to learn from the items, false alarms first: a missed defect is told from what they make good. */
export async function findLessons(images: readonly JudgedImage[], scoring: Scoring): Promise<Lessons> {
  let taught = scoring.model.corrections;
  const [spots, hushes]: [MissedSpot[], Spot[]] = [[], []];
  const [clearedItems, missedItems, alreadyRight]: [string[], string[], string[]] = [[], [], []];
  const items = groupByItem(images);
  const nameOf = ([first]: readonly JudgedImage[]): string => first?.sample.name ?? '';
  for (const item of items.filter(([first]) => first?.sample.good)) {
    let isCleared = false;
    for (const image of item) {
      const cleared = await clearImage(taught, image, scoring);
      if (!cleared) continue;
      isCleared = true;
      taught = cleared.taught;
      if (cleared.hush.patches.rows > 0) hushes.push(cleared.hush);
    }
    (isCleared ? clearedItems : alreadyRight).push(nameOf(item));
  }
  for (const item of items.filter(([first]) => !first?.sample.good)) {
    const found = await missedSpots(taught, item, scoring);
    spots.push(...found);
    (found.length === 0 ? alreadyRight : missedItems).push(nameOf(item));
  }
  return { taught, spots, hushes, clearedItems, missedItems, alreadyRight };
}
