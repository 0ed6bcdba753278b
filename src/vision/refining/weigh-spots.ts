import { openTaughtScorer } from '../components/open-taught-scorer.ts';
import type { TaughtPatches } from '../components/taught-patches.ts';
import { highestScore, inspectMap } from '../heatmaps/inspected-map.ts';
import type { OuterMargins } from '../inspection/parse-ignore-outer.ts';
import type { TeachableModel } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import { resemblance } from './choose-taught-patches.ts';
import type { MissedSpot } from './find-spots.ts';
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
}

export interface KnownChecking {
  readonly model: TeachableModel;
  readonly cleared: TaughtPatches;
  readonly spots: readonly MissedSpot[];
  readonly margins: OuterMargins;
  readonly threads: number;
  readonly signal: AbortSignal;
  report(done: number, total: number): void;
}

/** Judges the known images, as many as the budget of cells allows, at least two. @throws VisionError `cancelled` */
export async function checkKnown(samples: readonly JudgedSample[], checking: KnownChecking): Promise<KnownImage[]> {
  const { model, cleared, spots, margins, threads } = checking;
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
      const ratios = spots.map(({ patches }) => resemblance(patches, judged.evidence, now.distances, cells));
      known.push({
        sample,
        before: highestScore(inspectMap(old.map, frame, margins)),
        cleared: highestScore(inspectMap(now.map, frame, margins)),
        alike: Float32Array.from(ratios.flatMap((values) => [...values])),
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

/** For each missed patch the factor that its likeness must exceed, so that no known good image is called NG by it. */
export function weighPatches(spots: readonly MissedSpot[], known: readonly KnownImage[]): Float32Array {
  const count = spots.reduce((sum, { patches }) => sum + patches.rows, 0);
  const factors = new Float32Array(count).fill(1);
  for (const { sample, alike } of known)
    if (sample.good)
      alike.forEach((ratio, patch) => {
        factors[patch] = Math.max(factors[patch]!, SAFETY * ratio);
      });
  return factors;
}

/** @throws VisionError `cannot_teach` naming the missed item and the good one that look the same */
export function refuseContradictions(
  spots: readonly MissedSpot[],
  factors: Float32Array,
  known: readonly KnownImage[],
): void {
  let start = 0;
  for (const { sample, patches } of spots) {
    const patchNumbers = Array.from({ length: patches.rows }, (_, row) => start + row);
    start += patches.rows;
    const [best = 0] = patchNumbers.sort((a, b) => factors[a]! - factors[b]!);
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
