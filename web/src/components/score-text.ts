const mostDigits = 6;

/** The digits, `least` or more, with which a rounded score lies on the same side of the threshold as the score itself. */
export function scoreDigits(score: number, threshold: number | undefined, least: number): number {
  let digits = least;
  if (threshold === undefined) return digits;
  const round = (value: number): number => Number(value.toFixed(digits));
  const isNg = score >= threshold;
  const isMisleading = (): boolean => round(score) >= threshold !== isNg || round(score) >= round(threshold) !== isNg;
  while (digits < mostDigits && isMisleading()) digits++;
  return digits;
}

export function scoreText(score: number, threshold: number | undefined, least = 2): string {
  return score.toFixed(scoreDigits(score, threshold, least));
}
