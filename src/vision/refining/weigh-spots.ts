import { openTaughtScorer } from '../components/open-taught-scorer.ts';
import type { TaughtPatches } from '../components/taught-patches.ts';
import { highestScore, inspectMap } from '../heatmaps/inspected-map.ts';
import type { OuterMargins } from '../inspection/parse-ignore-outer.ts';
import type { Matrix } from '../onnx/open-matrix-product.ts';
import type { TeachableModel } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { resemblance } from './choose-taught-patches.ts';
import type { Spot } from './find-spots.ts';
import { type JudgedSample, judgeSample } from './judged-sample.ts';

/** How much nearer to a missed defect than any known good patch a patch must be, beyond what those come to. */
const SAFETY = 1.2;
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
  readonly model: TeachableModel;
  readonly cleared: TaughtPatches;
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
  const before = await openTaughtScorer(model.taught, model.smoothing, threads);
  const after = await openTaughtScorer(cleared, model.smoothing, threads);
  const known: KnownImage[] = [];
  let budget = KNOWN_CELLS;
  try {
    for (const sample of samples) {
      throwIfCancelled(checking.signal);
      if (budget <= 0 && known.length >= 2) break;
      const { judged, frame, cells } = await judgeSample(sample, model, margins);
      const [old, now] = [await before.score(judged), await after.score(judged)];
      const { evidence, distances, alarms } = judged;
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

/**
 * For each taught patch the factor that its likeness must exceed, so that no known image gets another verdict by it.
 * @param likenesses of the known images that it might harm
 */
export function weighPatches(spots: readonly Spot[], likenesses: readonly Float32Array[]): Float32Array {
  const count = spots.reduce((sum, { patches }) => sum + patches.rows, 0);
  const factors = new Float32Array(count).fill(1);
  for (const alike of likenesses)
    alike.forEach((ratio, patch) => {
      factors[patch] = Math.max(factors[patch]!, SAFETY * ratio);
    });
  return factors;
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
    if (factors[best]! <= SAFETY * MOST_ALIKE) continue;
    const twin = known
      .filter((image) => image.sample.good)
      .reduce((one, other) => (other.alike[best]! > one.alike[best]! ? other : one));
    throw new VisionError(
      'cannot_teach',
      `"${sample.name}" is NG, but where it was missed it looks the same as "${twin.sample.name}", which is good: ` +
        'no model can tell them apart. Correct one of the two verdicts, or draw the rectangle of the defect.',
    );
  }
}

/** @throws VisionError `cannot_teach` naming the good item and the defect whose alarms look the same */
export function refuseSilencing(hushes: readonly Spot[], factors: Float32Array, known: readonly KnownImage[]): void {
  for (const { sample, numbers } of patchNumbers(hushes)) {
    const worst = numbers.find((patch) => factors[patch]! > SAFETY * MOST_ALIKE);
    if (worst === undefined) continue;
    const twin = known.reduce((one, other) => (other.hushAlike[worst]! > one.hushAlike[worst]! ? other : one));
    throw new VisionError(
      'cannot_teach',
      `"${sample.name}" is good, but where the alarm is it looks the same as a defect of "${twin.sample.name}": ` +
        'no model can tell them apart. Correct one of the two verdicts, or leave this item out.',
    );
  }
}
