import { highestScore, inspectMap } from '../anomaly-map/inspected-map.ts';
import { NO_MARGINS } from '../anomaly-map/parse-ignore-outer.ts';
import { openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { median } from '../math/quantile.ts';
import type { Calibration } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';
import { groupByItem, type JudgedSample, judgeSample } from './judged-sample.ts';

/** Cells of training images that tell how much too near they come: bounds the seconds. At least {@link FEWEST} items. */
const CELLS = 50_000;
const [FEWEST, MOST] = [2, 16];
/** A model of one or two images knows them by heart: beyond this the ratio says nothing. */
const MOST_STRETCHED = 3;

export interface Leveling {
  readonly calibration: Calibration;
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** Items spread evenly over the list. */
function someItems<T>(items: readonly T[]): T[] {
  const count = Math.min(MOST, items.length);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

/** Raw scores of some of the items that the model was trained on. */
async function seenScores(
  samples: readonly JudgedSample[],
  model: RefinableModel,
  { threads, signal }: Leveling,
): Promise<number[]> {
  const scorer = await openCorrectedScorer(model.corrections, model.smoothing, threads);
  const scores: number[] = [];
  let budget = CELLS;
  try {
    for (const item of someItems(groupByItem(samples.map((sample) => ({ sample }))))) {
      if (budget <= 0 && scores.length >= FEWEST) break;
      let highest = 0;
      for (const { sample } of item) {
        throwIfCancelled(signal);
        const { judged, frame } = await judgeSample(sample, model, NO_MARGINS);
        budget -= judged.rows * judged.columns;
        highest = Math.max(highest, highestScore(inspectMap((await scorer.score(judged)).map, frame, NO_MARGINS)));
      }
      scores.push(highest);
    }
    return scores;
  } finally {
    await scorer.dispose();
  }
}

/**
 * The model with distances of its own training images brought to the level of images that it has not seen: stretched
 * until their median score is that of the held-out scores which its threshold comes from.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function levelDistances(
  model: RefinableModel,
  samples: readonly JudgedSample[],
  leveling: Leveling,
): Promise<RefinableModel> {
  if (model.canHoldOut) return model;
  const seen = samples.filter(({ use, learned, good }) => use === 'known' && learned && good);
  const [wanted, found] = [median(leveling.calibration.goodScores), median(await seenScores(seen, model, leveling))];
  const ratio = wanted / found;
  // No scores, or nothing but zeros: there is nothing to go by.
  const factor = Number.isFinite(ratio) ? Math.min(MOST_STRETCHED, Math.max(1, ratio)) : 1;
  const stretch = (values: Float32Array): Float32Array => values.map((value) => value * factor);
  return {
    ...model,
    async measure(image, heldOut) {
      const judged = await model.measure(image, heldOut);
      if (!heldOut || factor === 1) return judged;
      const { features: evidence, distances } = judged;
      return { ...judged, features: { ...evidence, data: stretch(evidence.data) }, distances: stretch(distances) };
    },
  };
}
