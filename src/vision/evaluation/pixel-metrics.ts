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

export interface PixelMetrics {
  /** Probability that a defect pixel scores higher than a good one; null without defect pixels. */
  readonly auroc: number | null;
  /** Per-region overlap, its mean up to a false positive rate of 0.3 (Bergmann et al. 2021); null as above. */
  readonly pro: number | null;
}

const BINS = 8192;
const FPR_LIMIT = 0.3;

/** Counts over equal steps of the score, from lowest to highest. */
interface Histograms {
  readonly negative: Float64Array;
  readonly positive: Float64Array;
  /** Each defect part counts 1 in all. */
  readonly overlap: Float64Array;
  parts: number;
}

function addImage(histograms: Histograms, image: MaskedMap, low: number, step: number): void {
  const { data } = resizeMap(image.map, image.height, image.width);
  const binOf = (score: number): number => Math.min(BINS - 1, Math.floor((score - low) / step));
  if (!image.mask) {
    for (const score of data) histograms.negative[binOf(score)]!++;
    return;
  }
  const { labels, areas } = labelComponents(image.mask, image.height, image.width);
  histograms.parts += areas.length;
  data.forEach((score, pixel) => {
    const label = labels[pixel]!;
    const bin = binOf(score);
    if (label === 0) histograms.negative[bin]!++;
    else {
      histograms.positive[bin]!++;
      histograms.overlap[bin]! += 1 / areas[label - 1]!;
    }
  });
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function integrate({ negative, positive, overlap, parts }: Histograms): PixelMetrics {
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

/** Pixel metrics over all images together; scores are told apart in 8,192 steps between lowest and highest. */
export function pixelMetrics(images: readonly MaskedMap[]): PixelMetrics {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { map } of images)
    for (const score of map.data) {
      if (score < low) low = score;
      if (score > high) high = score;
    }
  const empty = () => new Float64Array(BINS);
  const histograms: Histograms = { negative: empty(), positive: empty(), overlap: empty(), parts: 0 };
  const step = (high - low) / BINS || 1;
  for (const image of images) addImage(histograms, image, low, step);
  return integrate(histograms);
}
