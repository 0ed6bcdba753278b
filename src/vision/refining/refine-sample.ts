import {
  highestScore,
  inspectedCells,
  inspectMap,
  NO_MARGINS,
  type OuterMargins,
} from '../anomaly-map/inspected-map.ts';
import { openCorrectedScorer } from '../corrections/corrected-scorer.ts';
import type { RefinableModel } from '../corrections/refinable-model.ts';
import { median } from '../math/quantile.ts';
import type { FitProgress } from '../training/fit-input.ts';
import type { Calibration, TrainingSample } from '../types.ts';
import { throwIfCancelled } from '../vision-error.ts';

/** An image with a person's verdict. */
export interface RefineSample extends TrainingSample {
  /** correction: the model's verdict is to become the person's; known: the model's verdict must not change. */
  readonly use: 'correction' | 'known';
  /** The model was trained on the image. */
  readonly learned: boolean;
}

export interface Refining {
  readonly model: RefinableModel;
  readonly rawLimit: number;
  readonly margins: OuterMargins;
  readonly threads: number;
  readonly signal: AbortSignal;
  report(progress: FitProgress): void;
}

export type MeasuredImage = Awaited<ReturnType<typeof measureSample>>;

/** The sample's patches without corrections, and its inspected cells. Good training images are held out. */
export async function measureSample(sample: RefineSample, { model, margins }: Pick<Refining, 'model' | 'margins'>) {
  const { image, ...rest } = await sample.load();
  const patches = await model.measure(image, sample.learned && sample.good);
  const frame = { ...rest, image: { width: image.width, height: image.height } };
  const inspected = inspectedCells(patches.rows, patches.columns, frame, margins);
  return { sample, frame, patches, cells: [...inspected.keys()].filter((cell) => inspected[cell] === 1) };
}

/** Images by the item that they belong to, in the order of the items' first images. */
export function groupByItem<T extends { readonly sample: RefineSample }>(images: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const image of images) {
    const group = groups.get(image.sample.itemId);
    if (group) group.push(image);
    else groups.set(image.sample.itemId, [image]);
  }
  return [...groups.values()];
}

/** Cells of training images that are scored; they bound the time. At least {@link FEWEST_ITEMS} items are scored. */
const CELLS = 50_000;
const FEWEST_ITEMS = 2;
const MOST_ITEMS = 16;
/** A model of one or two images fits them exactly. A higher factor would say nothing. */
const MAX_FACTOR = 3;

type Levelling = Pick<Refining, 'threads' | 'signal'> & { readonly calibration: Calibration };

/** Raw scores of some of the items, spread evenly over the list. */
async function scoreSome(
  samples: readonly RefineSample[],
  model: RefinableModel,
  { threads, signal }: Levelling,
): Promise<number[]> {
  const items = groupByItem(samples.map((sample) => ({ sample })));
  const count = Math.min(MOST_ITEMS, items.length);
  const scorer = await openCorrectedScorer(model.corrections, model.smoothing, threads);
  const scores: number[] = [];
  let budget = CELLS;
  try {
    for (let i = 0; i < count && (budget > 0 || scores.length < FEWEST_ITEMS); i++) {
      let highest = 0;
      for (const { sample } of items[Math.floor((i * items.length) / count)]!) {
        throwIfCancelled(signal);
        const { patches, frame } = await measureSample(sample, { model, margins: NO_MARGINS });
        budget -= patches.rows * patches.columns;
        highest = Math.max(highest, highestScore(inspectMap((await scorer.score(patches)).map, frame, NO_MARGINS)));
      }
      scores.push(highest);
    }
    return scores;
  } finally {
    await scorer.dispose();
  }
}

/**
 * For a model that cannot hold an image out: scales the distances of its training images so that their median score
 * equals the median of the held-out scores of the training.
 * @throws VisionError `cancelled`, and what the samples' `load` throws
 */
export async function levelDistances(
  model: RefinableModel,
  samples: readonly RefineSample[],
  levelling: Levelling,
): Promise<RefinableModel> {
  if (model.canHoldOut) return model;
  const trained = samples.filter(({ use, learned, good }) => use === 'known' && learned && good);
  const ratio = median(levelling.calibration.goodScores) / median(await scoreSome(trained, model, levelling));
  // Without scores, or with nothing but zeros, there is no ratio.
  const factor = Number.isFinite(ratio) ? Math.min(MAX_FACTOR, Math.max(1, ratio)) : 1;
  const scale = (values: Float32Array): Float32Array => values.map((value) => value * factor);
  return {
    ...model,
    async measure(image, heldOut) {
      const patches = await model.measure(image, heldOut);
      if (!heldOut || factor === 1) return patches;
      const { features, distances } = patches;
      return { ...patches, features: { ...features, data: scale(features.data) }, distances: scale(distances) };
    },
  };
}
