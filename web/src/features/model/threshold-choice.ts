/** Thresholds that a person may choose, from the scores of good and NG images. */
import type { ModelScores } from '../../../../src/client/shapes.ts';
import { type Confusion, confusionOf } from './score-statistics.ts';

const tail = 0.025;

/** The probability of at most `count` of `total` at this rate. */
function atMost(count: number, total: number, rate: number): number {
  let term = total * Math.log1p(-rate);
  let sum = Math.exp(term);
  for (let k = 1; k <= count; k++) {
    term += Math.log((total - k + 1) / k) + Math.log(rate / (1 - rate));
    sum += Math.exp(term);
  }
  return sum;
}

/** The upper end of the 95 % interval of a rate (Clopper and Pearson, 1934): 0 of 100 may be up to 3.6 %. */
export function upperRate(count: number, total: number): number {
  if (count >= total) return 1;
  let [low, high] = [count / total, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (atMost(count, total, middle) > tail) low = middle;
    else high = middle;
  }
  return high;
}

const digits = 1000;

/** The highest threshold, in thousandths, at which none of these NG images escapes; undefined without any. */
export function noEscapeThreshold(ng: readonly number[]): number | undefined {
  if (ng.length === 0) return undefined;
  return Math.floor(Math.min(...ng) * digits) / digits;
}

/** The lowest threshold, in thousandths, at which at most this share of the good images is a false alarm. */
export function falseAlarmThreshold(good: readonly number[], rate: number): number | undefined {
  if (good.length === 0) return undefined;
  const falling = [...good].sort((one, other) => other - one);
  const highestRight = falling[Math.floor(rate * good.length)] ?? 0;
  return Math.min(1, Math.floor(highestRight * digits + 1) / digits);
}

/**
 * The threshold with the least cost, where an escape costs as much as `escapeCost` false alarms: the middle of the
 * cheapest ones, as far from the good images as from the NG ones. Undefined unless both kinds are known.
 */
export function cheapestThreshold(
  good: readonly number[],
  ng: readonly number[],
  escapeCost: number,
): number | undefined {
  if (good.length === 0 || ng.length === 0) return undefined;
  const rising = (scores: readonly number[]) => [...scores].sort((one, other) => one - other);
  const [risingGood, risingNg] = [rising(good), rising(ng)];
  // Between two neighbouring scores, the counts are the same. The last one lies above all scores.
  const scores = rising([...new Set([...good, ...ng])]);
  const edges = [...scores, Math.min(1, (scores.at(-1) ?? 1) + 1 / digits)];
  let best: { low: number; high: number; cost: number } | undefined;
  let [passed, missed] = [0, 0];
  edges.forEach((high, index) => {
    while (passed < risingGood.length && (risingGood[passed] ?? 1) < high) passed++;
    while (missed < risingNg.length && (risingNg[missed] ?? 1) < high) missed++;
    const low = edges[index - 1] ?? high;
    // Rates, so that the share of NG among the judged images does not matter.
    const cost = (escapeCost * missed) / ng.length + (good.length - passed) / good.length;
    if (!best || cost < best.cost) best = { low, high, cost };
    else if (cost === best.cost && low === best.high) best = { ...best, high };
  });
  if (!best) return undefined;
  const middle = Math.round(((best.low + best.high) / 2) * digits) / digits;
  return middle > best.low && middle <= best.high ? middle : best.high;
}

/** What a person asks of a threshold. */
export interface Wishes {
  /** Of the good images, 0 to 1. */
  readonly falseAlarmRate: number;
  /** An escape costs as much as so many false alarms. */
  readonly escapeCost: number;
}

export interface ThresholdChoice {
  readonly aim: 'noEscape' | 'falseAlarms' | 'cost';
  /** Names it on the histogram. */
  readonly mark: string;
  /** Undefined where too little is known. */
  readonly threshold: number | undefined;
  /** The known images at this threshold. */
  readonly outcome: Confusion | undefined;
}

/** A threshold for each aim, from held-out training images and the images that people judged. */
export function thresholdChoices({ items, held_out: heldOut }: ModelScores, wishes: Wishes) {
  const judged = (verdict: string) => items.filter((item) => item.user_result === verdict).map((item) => item.score);
  const good = [...heldOut.good, ...judged('OK')];
  const ng = [...heldOut.ng, ...judged('NG')];
  const choice = (aim: ThresholdChoice['aim'], mark: string, threshold: number | undefined): ThresholdChoice => {
    return { aim, mark, threshold, outcome: threshold === undefined ? undefined : confusionOf(good, ng, threshold) };
  };
  const choices = [
    choice('noEscape', 'A', noEscapeThreshold(ng)),
    choice('falseAlarms', 'B', falseAlarmThreshold(good, wishes.falseAlarmRate)),
    choice('cost', 'C', cheapestThreshold(good, ng, wishes.escapeCost)),
  ] as const;
  return { good: good.length, ng: ng.length, choices };
}
