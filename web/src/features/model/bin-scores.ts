/** How many scores lie in each of `count` equal parts of `low` to `high`; those outside count at the ends. */
export function binScores(scores: readonly number[], count: number, low: number, high: number): number[] {
  const bins = new Array<number>(count).fill(0);
  for (const score of scores) {
    const index = Math.max(0, Math.min(count - 1, Math.floor(((score - low) / (high - low)) * count)));
    bins[index] = (bins[index] ?? 0) + 1;
  }
  return bins;
}
