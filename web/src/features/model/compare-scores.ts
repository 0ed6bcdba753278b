import type { ModelScores, ScoredItem } from '../../../../src/client/shapes.ts';
import { type Confusion, confusionOf, verdictAt } from './threshold-effect.ts';

/** An item that both models scored. */
export interface ScorePair {
  readonly item: ScoredItem;
  readonly one: number;
  readonly other: number;
}

/** Two models on the same items, each at its own current threshold. */
export function compareScores(one: ModelScores, other: ModelScores) {
  const byId = new Map(other.items.map((item) => [item.item_id, item.score]));
  const pairs = one.items.flatMap((item): ScorePair[] => {
    const score = byId.get(item.item_id);
    return score === undefined ? [] : [{ item, one: item.score, other: score }];
  });
  const confusion = (which: 'one' | 'other', threshold: number): Confusion => {
    const scored = (verdict: string) =>
      pairs.filter(({ item }) => item.user_result === verdict).map((pair) => pair[which]);
    return confusionOf(scored('OK'), scored('NG'), threshold);
  };
  return {
    pairs,
    differing: pairs.filter((pair) => verdictAt(pair.one, one.threshold) !== verdictAt(pair.other, other.threshold)),
    /** The items that only the other model scored: those missing for the first model, and for the second. */
    missing: [without(other, one), without(one, other)] as const,
    /** Each model against people's verdicts on the pairs. */
    confusions: [confusion('one', one.threshold), confusion('other', other.threshold)] as const,
  };
}

function without(from: ModelScores, known: ModelScores): string[] {
  const ids = new Set(known.items.map((item) => item.item_id));
  return from.items.map((item) => item.item_id).filter((id) => !ids.has(id));
}
