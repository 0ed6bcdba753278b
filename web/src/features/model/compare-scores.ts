import type { ModelScores, ScoredItem } from '../../../../src/client/shapes.ts';
import { verdictAt } from './threshold-effect.ts';

/** One item that both models scored. */
export interface ScorePair {
  readonly item: ScoredItem;
  readonly one: number;
  readonly other: number;
  readonly differs: boolean;
}

export interface ScoreComparison {
  readonly pairs: readonly ScorePair[];
  readonly differing: readonly ScorePair[];
  /** Items that only the first model scored. */
  readonly missing: readonly string[];
  /** Of the pairs that a person judged: how many each model gets right. */
  readonly judged: number;
  readonly oneRight: number;
  readonly otherRight: number;
}

/** Two models on the same items, each at its own threshold as it is now. */
export function compareScores(one: ModelScores, other: ModelScores): ScoreComparison {
  const byId = new Map(other.items.map((item) => [item.item_id, item.score]));
  const pairs: ScorePair[] = [];
  const missing: string[] = [];
  let [judged, oneRight, otherRight] = [0, 0, 0];
  for (const item of one.items) {
    const otherScore = byId.get(item.item_id);
    if (otherScore === undefined) {
      missing.push(item.item_id);
      continue;
    }
    const verdicts = [verdictAt(item.score, one.threshold), verdictAt(otherScore, other.threshold)] as const;
    pairs.push({ item, one: item.score, other: otherScore, differs: verdicts[0] !== verdicts[1] });
    if (item.user_result === null) continue;
    judged++;
    if (verdicts[0] === item.user_result) oneRight++;
    if (verdicts[1] === item.user_result) otherRight++;
  }
  return { pairs, differing: pairs.filter((pair) => pair.differs), missing, judged, oneRight, otherRight };
}
