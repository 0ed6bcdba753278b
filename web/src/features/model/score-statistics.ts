import type { Model, ModelScores, ScoredItem, Verdict } from '../../../../src/client/shapes.ts';

export interface Confusion {
  /** NG that is found. */
  readonly found: number;
  readonly escapes: number;
  /** Good that passes. */
  readonly passed: number;
  readonly falseAlarms: number;
}

export type Rates = ReturnType<typeof ratesOf>;

/** The verdict that a score gets: NG at the threshold and above. */
export const verdictAt = (score: number, threshold: number): Verdict => (score >= threshold ? 'NG' : 'OK');

export function confusionOf(good: readonly number[], ng: readonly number[], threshold: number): Confusion {
  const falseAlarms = good.filter((score) => score >= threshold).length;
  const found = ng.filter((score) => score >= threshold).length;
  return { found, escapes: ng.length - found, passed: good.length - falseAlarms, falseAlarms };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export function ratesOf({ found, escapes, passed, falseAlarms }: Confusion) {
  return {
    falseAlarmRate: share(falseAlarms, falseAlarms + passed),
    escapeRate: share(escapes, escapes + found),
    // Without any NG item every alarm is false, and the share means nothing.
    precision: found + escapes === 0 ? null : share(found, found + falseAlarms),
    recall: share(found, found + escapes),
    // Of one kind alone it would say nothing about the other.
    accuracy:
      found + escapes === 0 || passed + falseAlarms === 0
        ? null
        : share(found + passed, found + escapes + passed + falseAlarms),
  };
}

/** The verdicts of all scored items at a threshold. */
export function thresholdEffect(scores: ModelScores, threshold: number) {
  const reviewed = (verdict: Verdict) => scores.items.filter((item) => item.user_result === verdict);
  const [good, ng] = [reviewed('OK'), reviewed('NG')];
  const values = (items: readonly ScoredItem[]) => items.map((item) => item.score);
  const is = (verdict: Verdict) => (item: ScoredItem) => verdictAt(item.score, threshold) === verdict;
  return {
    /** Against people's verdicts. */
    computed: confusionOf(values(good), values(ng), threshold),
    /** On held-out training images. */
    projected: confusionOf(scores.held_out.good, scores.held_out.ng, threshold),
    /** NG items that would pass, the lowest score first. */
    escapes: ng.filter(is('OK')).sort((one, other) => one.score - other.score),
    /** Good items that would be refused, the highest score first. */
    falseAlarms: good.filter(is('NG')).sort((one, other) => other.score - one.score),
    /** Items with another verdict than at the saved threshold. */
    changes: scores.items.filter(({ score }) => verdictAt(score, threshold) !== verdictAt(score, scores.threshold)),
  };
}

/** The edges of `count` equal bins from `low` to `high`, and the threshold: no bin lies on both sides of it. */
export function binEdges(low: number, high: number, count: number, threshold: number): number[] {
  const edges = Array.from({ length: count + 1 }, (_, index) => low + ((high - low) * index) / count);
  if (threshold <= low || threshold >= high || edges.includes(threshold)) return edges;
  return [...edges, threshold].sort((one, other) => one - other);
}

/** How many scores lie in each bin, from its lower edge up to the next; those outside count at the ends. */
export function binScores(scores: readonly number[], edges: readonly number[]): number[] {
  const bins = new Array<number>(edges.length - 1).fill(0);
  for (const score of scores) {
    const next = edges.findIndex((edge) => edge > score);
    const index = next < 0 ? bins.length - 1 : Math.max(0, next - 1);
    bins[index] = (bins[index] ?? 0) + 1;
  }
  return bins;
}

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

export type VersionChanges = ReturnType<typeof compareVersions>;

/** What a refined version changes for the items that people judged, each version at its own threshold. */
export function compareVersions(before: ModelScores, after: ModelScores) {
  const { pairs } = compareScores(before, after);
  const judged = pairs.filter(({ item }) => item.user_result !== null);
  const changed = (person: Verdict, to: Verdict): ScoredItem[] =>
    judged
      .filter(({ item }) => item.user_result === person)
      .filter((pair) => verdictAt(pair.one, before.threshold) !== to && verdictAt(pair.other, after.threshold) === to)
      .map(({ item, other }) => ({ ...item, score: other }));
  const kinds = {
    /** Escapes that are found now. */
    found: changed('NG', 'NG'),
    /** False alarms that pass now. */
    cleared: changed('OK', 'OK'),
    /** New escapes. */
    missed: changed('NG', 'OK'),
    /** New false alarms. */
    alarms: changed('OK', 'NG'),
  };
  const right = judged.filter(({ item, one }) => verdictAt(one, before.threshold) === item.user_result).length;
  return {
    ...kinds,
    all: Object.values(kinds).flat(),
    inspected: judged.length,
    /** The items that the version before judged right. */
    right,
  };
}

/** The items that the model, or a model that it was refined from, learned as corrections. */
export function listCorrections(model: Model, models: readonly Model[]): string[] {
  const parent = models.find(({ model_id }) => model_id === model.parent_id);
  return [...(model.taught_item_ids ?? []), ...(parent ? listCorrections(parent, models) : [])];
}

function without(from: ModelScores, known: ModelScores): string[] {
  const ids = new Set(known.items.map((item) => item.item_id));
  return from.items.map((item) => item.item_id).filter((id) => !ids.has(id));
}
