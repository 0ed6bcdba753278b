import { intersectionOverUnion } from '../../src/vision/math/rectangle.ts';

/** A rectangle of a class in an image, by the image's index. */
export interface LabelledBox {
  readonly image: number;
  readonly label: number;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

export interface DetectedBox extends LabelledBox {
  readonly score: number;
}

/** Whether each detection, the surest first, is right: it overlaps best a true box that no surer one has taken. */
function matchBoxes(truth: readonly LabelledBox[], detected: readonly DetectedBox[], leastOverlap: number): boolean[] {
  const taken = new Set<LabelledBox>();
  return detected.map((box) => {
    let best: LabelledBox | undefined;
    let highest = leastOverlap;
    for (const candidate of truth) {
      if (candidate.image !== box.image || taken.has(candidate)) continue;
      const overlap = intersectionOverUnion(candidate, box);
      if (overlap >= highest) [best, highest] = [candidate, overlap];
    }
    if (best) taken.add(best);
    return best !== undefined;
  });
}

/** Area under the precision that is reached at each recall or a higher one (all points, as in PASCAL VOC 2010). */
function averagePrecision(right: readonly boolean[], total: number): number {
  let found = 0;
  const precisions = right.map((hit, index) => {
    if (hit) found++;
    return found / (index + 1);
  });
  let [best, area] = [0, 0];
  for (let index = right.length - 1; index >= 0; index--) {
    best = Math.max(best, precisions[index] ?? 0);
    if (right[index]) area += best / total;
  }
  return area;
}

/**
 * Average precision of each class that is there in truth, and their mean.
 * @param leastOverlap intersection over union from which on a detection is right
 */
export function meanAveragePrecision(
  truth: readonly LabelledBox[],
  detected: readonly DetectedBox[],
  leastOverlap: number,
): { readonly mean: number | null; readonly perClass: Readonly<Record<number, number>> } {
  const labels = [...new Set(truth.map(({ label }) => label))].sort((a, b) => a - b);
  const perClass: Record<number, number> = {};
  for (const label of labels) {
    const real = truth.filter((box) => box.label === label);
    const claimed = detected.filter((box) => box.label === label).sort((a, b) => b.score - a.score);
    perClass[label] = averagePrecision(matchBoxes(real, claimed, leastOverlap), real.length);
  }
  const mean = labels.reduce((sum, label) => sum + (perClass[label] ?? 0), 0) / labels.length;
  return { mean: labels.length > 0 ? mean : null, perClass };
}
