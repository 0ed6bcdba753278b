import { labelComponents } from '../math/connected-components.ts';
import { resizeMap } from '../math/resize-map.ts';
import type { ScoreMap } from '../types.ts';

/** An image's raw map and where its defects are. */
export interface MaskedMap {
  readonly map: ScoreMap;
  readonly width: number;
  readonly height: number;
  /** [height · width], 0 = good; absent for a good image. */
  readonly mask?: Uint8Array;
}

const BINS = 8192;
const FPR_LIMIT = 0.3;

/** Counts over equal steps of the score, from lowest to highest; in `overlap` each defect part counts 1 in all. */
function countScores(images: readonly MaskedMap[], low: number, step: number) {
  const negative = new Float64Array(BINS);
  const positive = new Float64Array(BINS);
  const overlap = new Float64Array(BINS);
  const binOf = (score: number): number => Math.min(BINS - 1, Math.floor((score - low) / step));
  let parts = 0;
  for (const { map, width, height, mask } of images) {
    const { labels, areas } = labelComponents(mask ?? new Uint8Array(width * height), height, width);
    parts += areas.length;
    resizeMap(map, height, width).data.forEach((score, pixel) => {
      const label = labels[pixel]!;
      const bin = binOf(score);
      if (label === 0) negative[bin]!++;
      else {
        positive[bin]!++;
        overlap[bin]! += 1 / areas[label - 1]!;
      }
    });
  }
  return { negative, positive, overlap, parts };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function integrate({ negative, positive, overlap, parts }: ReturnType<typeof countScores>) {
  const [negatives, positives] = [total(negative), total(positive)];
  if (negatives === 0 || positives === 0) return { auroc: null, pro: null };
  let [fpr, tpr, pro, auroc, proArea] = [0, 0, 0, 0, 0];
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const width = negative[bin]! / negatives;
    const nextTpr = tpr + positive[bin]! / positives;
    const nextPro = pro + overlap[bin]! / parts;
    auroc += (width * (tpr + nextTpr)) / 2;
    if (fpr < FPR_LIMIT) {
      // The last step is cut where it crosses the limit.
      const share = width > 0 ? Math.min(1, (FPR_LIMIT - fpr) / width) : 0;
      proArea += share * width * (pro + (share * (nextPro - pro)) / 2);
    }
    [fpr, tpr, pro] = [fpr + width, nextTpr, nextPro];
  }
  return { auroc, pro: proArea / FPR_LIMIT };
}

/**
 * Pixel metrics over all images together; scores are told apart in 8,192 steps between lowest and highest.
 * @returns `auroc`: probability that a defect pixel scores higher than a good one; `pro`: per-region overlap, its mean
 * up to a false positive rate of 0.3 (Bergmann et al. 2021); both null without defect pixels
 */
export function pixelMetrics(images: readonly MaskedMap[]) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { map } of images)
    for (const score of map.data) {
      if (score < low) low = score;
      if (score > high) high = score;
    }
  return integrate(countScores(images, low, (high - low) / BINS || 1));
}
