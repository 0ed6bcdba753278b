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
