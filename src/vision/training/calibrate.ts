import { type MapScorer, scorable, scoreImage } from '../anomaly-map/map-scorer.ts';
import type { InputLayout } from '../backbone/input-layout.ts';
import { say } from '../engine-messages.ts';
import { WHITE } from '../image/exposure.ts';
import type { Message } from '../message.ts';
import { prefetch } from '../onnx/prefetch.ts';
import type { Calibration, TrainingSample } from '../types.ts';
import { throwIfCancelled, VisionError } from '../vision-error.ts';
import type { FitResult } from './fit-input.ts';
import { conformalThreshold, LEAST_SCORE, smallSampleRemark, supervisedThreshold } from './thresholds.ts';
import type { GoodImages } from './training-patches.ts';
import type { Training } from './with-training.ts';

/** An item's score is the highest of its images'. Items with an image without a score are dropped, if others remain. */
export function itemScores(itemIds: readonly string[], scores: readonly number[]): number[] {
  const highest = new Map<string, number>();
  const partly = new Set<string>();
  itemIds.forEach((itemId, index) => {
    const score = scores[index] ?? Number.NaN;
    if (Number.isNaN(score)) partly.add(itemId);
    else highest.set(itemId, Math.max(score, highest.get(itemId) ?? 0));
  });
  const whole = [...highest].filter(([itemId]) => !partly.has(itemId));
  return (whole.length > 0 ? whole : [...highest]).map(([, score]) => score);
}

/** Raw scores of the NG items. @param openScorer is called only where there are any */
export async function scoreDefects(
  { samples, signal, extractor }: Pick<Training, 'samples' | 'signal' | 'extractor'>,
  openScorer: () => Promise<MapScorer>,
): Promise<number[]> {
  const defects = samples.filter(({ good }) => !good);
  if (defects.length === 0) return [];
  const extract = async (sample: TrainingSample) => {
    throwIfCancelled(signal);
    const prepared = await sample.load();
    return scorable(await extractor.extract(prepared.image), prepared);
  };
  const scorer = await openScorer();
  const scores: number[] = [];
  try {
    for await (const image of prefetch(defects, extract, 1)) scores.push(await scoreImage(image, scorer));
  } finally {
    await scorer.dispose();
  }
  const itemIds = defects.map(({ itemId }) => itemId);
  return itemScores(itemIds, scores);
}

/**
 * The threshold for held-out scores of good and NG items.
 * @param shared as of `conformalThreshold`
 * @throws VisionError `too_few_images` where all good items look the same to the model
 */
export function calibrate(
  goodScores: readonly number[],
  defectScores: readonly number[],
  falseAlarmRate: number,
  shared?: number,
): Calibration {
  if (goodScores.every((score) => score <= LEAST_SCORE))
    throw new VisionError('too_few_images', say('training.all-alike'));
  const fromGood = conformalThreshold(goodScores, falseAlarmRate, shared);
  const rawThreshold = supervisedThreshold(goodScores, defectScores, fromGood, falseAlarmRate);
  return { rawThreshold, goodScores, defectScores };
}

export function describeTraining(
  { kept, outliers, doubtful }: GoodImages,
  calibration: Calibration,
  { falseAlarmRate, layout }: Pick<Training, 'falseAlarmRate' | 'layout'>,
): Omit<FitResult, 'payload'> {
  // A single item is scored by copies of itself, and only some items have a feature map.
  const items = Math.min(calibration.goodScores.length, new Set(kept.map(({ sample }) => sample.itemId)).size);
  const remarks = [smallSampleRemark(items, falseAlarmRate), exposureRemark(layout)].filter((remark) => !!remark);
  return { calibration, outliers, doubtful, remarks };
}

/** A remark where images are exposed anew: a person can do it better with the light. */
function exposureRemark({ exposure }: InputLayout): Message | undefined {
  if (!exposure) return undefined;
  const percent = Math.round((100 * exposure.target) / WHITE);
  return say(exposure.brightness === undefined ? 'remark.light-varies' : 'remark.dark', { percent });
}
