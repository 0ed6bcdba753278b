import { highestScore, inspectMap } from '../anomaly-map/inspected-map.ts';
import type { OuterMargins } from '../anomaly-map/parse-ignore-outer.ts';
import { openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import type { CorrectionPatches } from '../corrections/correction-patches.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import type { Matrix } from '../math/matrix.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { resemblance } from './choose-taught-patches.ts';
import type { Spot } from './find-spots.ts';
import { type JudgedSample, judgeSample } from './judged-sample.ts';

/** How much nearer to a taught patch than any known patch a patch must be, beyond what those come to: the least that will do. */
const SAFETIES = [1.2, 1.5, 2, 3, 5] as const;
/** Share of known images that may get another verdict where they did not help to set the factors. */
const HARMED = 0.02;
/** A missed defect of which a good item has a closer likeness cannot be told from it. */
const MOST_ALIKE = 10;
/** Cells of known images that are looked at: bounds the seconds, whatever the number and size of images. */
const KNOWN_CELLS = 200_000;

/** What a known image says of what is to be taught. */
export interface KnownImage {
  readonly sample: JudgedSample;
  /** Raw scores by the model as it was, and with the false alarms cleared. */
  readonly before: number;
  readonly cleared: number;
  /** Of each missed patch: the highest ratio of a patch's distance from good ones to its distance from it. */
  readonly alike: Float32Array;
  /** Of each hushed patch: the same ratio, over the patches where other alarms found a defect. */
  readonly hushAlike: Float32Array;
}

export interface KnownChecking {
  readonly model: RefinableModel;
  readonly cleared: CorrectionPatches;
  readonly spots: readonly Spot[];
  readonly hushes: readonly Spot[];
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  readonly threads: number;
  readonly signal: AbortSignal;
  report(done: number, total: number): void;
}

const likeness = (spots: readonly Spot[], of: (patches: Matrix) => Float32Array): Float32Array =>
  Float32Array.from(spots.flatMap(({ patches }) => [...of(patches)]));

/** Judges the known images, as many as the budget of cells allows, at least two. @throws VisionError `cancelled` */
export async function checkKnown(samples: readonly JudgedSample[], checking: KnownChecking): Promise<KnownImage[]> {
  const { model, cleared, spots, hushes, rawLimit, margins, threads } = checking;
  const before = await openCorrectedScorer(model.corrections, model.smoothing, threads);
  const after = await openCorrectedScorer(cleared, model.smoothing, threads);
  const known: KnownImage[] = [];
  let budget = KNOWN_CELLS;
  try {
    for (const sample of samples) {
      throwIfCancelled(checking.signal);
      if (budget <= 0 && known.length >= 2) break;
      const { judged, frame, cells } = await judgeSample(sample, model, margins);
      const [old, now] = [await before.score(judged), await after.score(judged)];
      const { features: evidence, distances, networkScores: alarms } = judged;
      const found = sample.good ? [] : cells.filter((cell) => alarms && alarms[cell]! >= rawLimit);
      known.push({
        sample,
        before: highestScore(inspectMap(old.map, frame, margins)),
        cleared: highestScore(inspectMap(now.map, frame, margins)),
        alike: likeness(spots, (patches) => resemblance(patches, evidence, now.distances, cells)),
        hushAlike: likeness(hushes, (patches) => resemblance(patches, evidence, distances, found)),
      });
      budget -= judged.rows * judged.columns;
      checking.report(known.length, samples.length);
    }
    return known;
  } finally {
    await before.dispose();
    await after.dispose();
  }
}

interface Highest {
  ratio: number;
  /** The image that it comes from, and the highest ratio of all others. */
  image: number;
  next: number;
}

function highestRatios(count: number, likenesses: readonly Float32Array[]): Highest[] {
  const highest = Array.from({ length: count }, (): Highest => ({ ratio: 0, image: -1, next: 0 }));
  likenesses.forEach((alike, image) => {
    highest.forEach((one, patch) => {
      const ratio = alike[patch]!;
      if (ratio > one.ratio) highest[patch] = { ratio, image, next: one.ratio };
      else one.next = Math.max(one.next, ratio);
    });
  });
  return highest;
}

/** The least safety at which images keep their verdicts by factors that others have set: so will those yet to come. */
function findSafety(highest: readonly Highest[], likenesses: readonly Float32Array[]): number {
  const allowed = Math.floor(HARMED * likenesses.length);
  const isHarmed = (safety: number, image: number): boolean =>
    highest.some((one) => one.image === image && one.ratio >= Math.max(1, safety * one.next));
  const enough = SAFETIES.find((safety) => likenesses.filter((_, image) => isHarmed(safety, image)).length <= allowed);
  return enough ?? SAFETIES[SAFETIES.length - 1]!;
}

/**
 * For each taught patch the factor that its likeness must exceed, so that no known image gets another verdict by it.
 * @param likenesses of the known images that it might harm
 */
export function weighPatches(spots: readonly Spot[], likenesses: readonly Float32Array[]): Float32Array {
  const count = spots.reduce((sum, { patches }) => sum + patches.rows, 0);
  const highest = highestRatios(count, likenesses);
  const safety = findSafety(highest, likenesses);
  return Float32Array.from(highest, ({ ratio }) => Math.max(1, safety * ratio));
}

/** Numbers of the spots' patches among those of all. */
function patchNumbers(spots: readonly Spot[]): { readonly sample: JudgedSample; readonly numbers: number[] }[] {
  let start = 0;
  return spots.map(({ sample, patches }) => {
    const numbers = Array.from({ length: patches.rows }, (_, row) => start + row);
    start += patches.rows;
    return { sample, numbers };
  });
}

/** @throws VisionError `cannot_teach` naming the missed item and the good one that look the same */
export function refuseContradictions(
  spots: readonly Spot[],
  factors: Float32Array,
  known: readonly KnownImage[],
): void {
  for (const { sample, numbers } of patchNumbers(spots)) {
    const [best = 0] = numbers.sort((a, b) => factors[a]! - factors[b]!);
    const alike = known.filter(({ sample: { good }, alike: ratios }) => good && ratios[best]! > MOST_ALIKE);
    if (alike.length === 0) continue;
    const twin = alike.reduce((one, other) => (other.alike[best]! > one.alike[best]! ? other : one));
    throw new VisionError(
      'cannot_teach',
      `"${sample.name}" is NG, but where it was missed it looks the same as "${twin.sample.name}", which is good: ` +
        'no model can tell them apart. Correct one of the two verdicts, or draw the rectangle of the defect.',
    );
  }
}

/** @throws VisionError `cannot_teach` naming the good item and the defect whose alarms look the same */
export function refuseSilencing(hushes: readonly Spot[], known: readonly KnownImage[]): void {
  for (const { sample, numbers } of patchNumbers(hushes)) {
    const twin = known.find(({ hushAlike }) => numbers.some((patch) => hushAlike[patch]! > MOST_ALIKE));
    if (!twin) continue;
    throw new VisionError(
      'cannot_teach',
      `"${sample.name}" is good, but where the alarm is it looks the same as a defect of "${twin.sample.name}": ` +
        'no model can tell them apart. Correct one of the two verdicts, or leave this item out.',
    );
  }
}
