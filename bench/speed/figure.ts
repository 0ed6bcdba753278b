/** Minimum, median and 95th percentile of some runs. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly runs: number;
}

export interface Limit {
  readonly least?: number;
  readonly most?: number;
}

/** One line of the report. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly spread?: Spread;
  readonly limit?: Limit;
  readonly note?: string;
}

export interface Section {
  readonly title: string;
  /** What was compared or counted, and how. */
  readonly method: string;
  readonly figures: readonly Figure[];
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { min: at(0), median: at(0.5), p95: at(0.95), runs: sorted.length };
}

/** A figure whose value is the median. */
export function medianFigure(name: string, unit: string, values: readonly number[], limit?: Limit): Figure {
  const spread = spreadOf(values);
  return { name, unit, value: spread.median, spread, ...(limit ? { limit } : {}) };
}

export function isHeld({ value, limit }: Figure): boolean | undefined {
  if (!limit) return undefined;
  return value >= (limit.least ?? Number.NEGATIVE_INFINITY) && value <= (limit.most ?? Number.POSITIVE_INFINITY);
}
