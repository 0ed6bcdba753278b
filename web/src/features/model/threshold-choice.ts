/** Thresholds that a person may choose, from the scores of good and NG images. */

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

/** The threshold with the least cost, where an escape costs as much as `escapeCost` false alarms; undefined unless both kinds are known. */
export function cheapestThreshold(
  good: readonly number[],
  ng: readonly number[],
  escapeCost: number,
): number | undefined {
  if (good.length === 0 || ng.length === 0) return undefined;
  const candidates = [...new Set([...ng, ...good.map((score) => score + 1 / digits)])].map(
    (score) => Math.floor(score * digits) / digits,
  );
  const rising = (scores: readonly number[]) => [...scores].sort((one, other) => one - other);
  const [risingGood, risingNg] = [rising(good), rising(ng)];
  let best: { threshold: number; cost: number } | undefined;
  let [passed, missed] = [0, 0];
  for (const threshold of rising(candidates)) {
    while (passed < risingGood.length && (risingGood[passed] ?? 1) < threshold) passed++;
    while (missed < risingNg.length && (risingNg[missed] ?? 1) < threshold) missed++;
    // Rates, so that the share of NG among the judged images does not matter.
    const cost = (escapeCost * missed) / ng.length + (good.length - passed) / good.length;
    if (!best || cost < best.cost) best = { threshold, cost };
  }
  return best?.threshold;
}
