/** How many scores lie in each of `count` equal parts of `low` to `high`; those outside count at the ends. */
export function binScores(scores: readonly number[], count: number, low: number, high: number): number[] {
  const bins = new Array<number>(count).fill(0);
  for (const score of scores) {
    const index = Math.max(0, Math.min(count - 1, Math.floor(((score - low) / (high - low)) * count)));
    bins[index] = (bins[index] ?? 0) + 1;
  }
  return bins;
}

/** The part of the scale where something lies, a little wider. */
export function scoreRange(scores: readonly number[]): { low: number; high: number } {
  const [least, most] = scores.reduce(([a, b], score) => [Math.min(a, score), Math.max(b, score)], [1, 0]);
  return {
    low: Math.max(0, Math.floor((least - 0.03) * 20) / 20),
    high: Math.min(1, Math.ceil((most + 0.03) * 20) / 20),
  };
}
