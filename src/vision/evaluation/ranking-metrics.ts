/** Scores of good and of defective images. */
export interface ScoredImages {
  readonly good: readonly number[];
  readonly defect: readonly number[];
}

interface Step {
  /** Images of each kind with exactly this score. */
  readonly good: number;
  readonly defect: number;
}

/** Counts per distinct score, from the highest down. */
function descendingSteps({ good, defect }: ScoredImages): Step[] {
  const counts = new Map<number, { good: number; defect: number }>();
  const count = (scores: readonly number[], kind: 'good' | 'defect'): void => {
    for (const score of scores) {
      const entry = counts.get(score) ?? { good: 0, defect: 0 };
      entry[kind]++;
      counts.set(score, entry);
    }
  };
  count(good, 'good');
  count(defect, 'defect');
  return [...counts.entries()].sort(([a], [b]) => b - a).map(([, entry]) => entry);
}

const bothKinds = ({ good, defect }: ScoredImages): boolean => good.length > 0 && defect.length > 0;

/** Probability that a defect scores higher than a good image, ties counting half; null without both kinds. */
export function imageAuroc(scores: ScoredImages): number | null {
  if (!bothKinds(scores)) return null;
  let [above, area] = [0, 0];
  for (const { good, defect } of descendingSteps(scores)) {
    area += good * (above + defect / 2);
    above += defect;
  }
  return area / (scores.good.length * scores.defect.length);
}

/** Area under precision over recall in steps (average precision); null without both kinds. */
export function averagePrecision(scores: ScoredImages): number | null {
  if (!bothKinds(scores)) return null;
  let [found, alarms, sum] = [0, 0, 0];
  for (const { good, defect } of descendingSteps(scores)) {
    found += defect;
    alarms += good;
    sum += defect * (found / (found + alarms));
  }
  return sum / scores.defect.length;
}

/** Highest F1 of the NG verdict over all thresholds; null without both kinds. */
export function f1Max(scores: ScoredImages): number | null {
  if (!bothKinds(scores)) return null;
  let [found, alarms, best] = [0, 0, 0];
  for (const { good, defect } of descendingSteps(scores)) {
    found += defect;
    alarms += good;
    best = Math.max(best, (2 * found) / (found + alarms + scores.defect.length));
  }
  return best;
}

/** How many of the sorted values lie below the limit, ties counting half. */
function countBelow(sorted: readonly number[], limit: number): number {
  const firstWhere = (isPast: (value: number) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isPast(sorted[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return (firstWhere((value) => value >= limit) + firstWhere((value) => value > limit)) / 2;
}

/** For each value the share of the others that lies below it. */
function placements(values: readonly number[], others: readonly number[]): number[] {
  const sorted = [...others].sort((a, b) => a - b);
  return values.map((value) => countBelow(sorted, value) / others.length);
}

function meanAndError(values: readonly number[]): { mean: number; squaredError: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, squaredError: values.length > 1 ? squares / (values.length - 1) / values.length : Infinity };
}

/**
 * By how much one way of scoring orders images better than another one does, as a difference of image AUROC, and the
 * standard error of it (DeLong et al. 1988: the same images both times).
 * @param before, after scores of the same images in the same order, at least one of each kind
 */
export function aurocGain(before: ScoredImages, after: ScoredImages): { gain: number; error: number } {
  const difference = (now: readonly number[], then: readonly number[]): number[] =>
    now.map((value, index) => value - (then[index] ?? 0));
  const ofDefects = meanAndError(
    difference(placements(after.defect, after.good), placements(before.defect, before.good)),
  );
  const ofGood = meanAndError(difference(placements(before.good, before.defect), placements(after.good, after.defect)));
  return { gain: ofDefects.mean, error: Math.sqrt(ofDefects.squaredError + ofGood.squaredError) };
}
