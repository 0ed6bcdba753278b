/** Linear interpolation between order statistics (type 7 of Hyndman & Fan 1996). `share` from 0 to 1; NaN for no values. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  const position = Math.min(Math.max(share, 0), 1) * (sorted.length - 1);
  const low = Math.floor(position);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (position - low);
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

/** Median absolute deviation, scaled to the standard deviation of a normal distribution. */
export function robustDeviation(values: ArrayLike<number>): number {
  const centre = median(values);
  return 1.4826 * median(Float64Array.from(values, (value) => Math.abs(value - centre)));
}

/** Root of the unbiased variance; 0 for fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

const HALF = 16;
const BINS = 2 ** HALF;

/** Counts by `part` of each entry, then goes up to the bin with the `rank`th. @returns the bin, and the rank within it */
function findBin(bits: Uint32Array, rank: number, part: (entry: number) => number): [bin: number, rank: number] {
  const counts = new Uint32Array(BINS);
  for (let i = 0; i < bits.length; i++) {
    const bin = part(bits[i]!);
    if (bin < BINS) counts[bin]!++;
  }
  let [bin, before] = [0, 0];
  while (before + counts[bin]! <= rank) before += counts[bin++]!;
  return [bin, rank - before];
}

/**
 * The value that would be at `rank` if all were sorted, in time linear in their number: the bits of numbers that are
 * not negative are in the order of the numbers, so that they are counted by their upper half, and those of one bin by
 * the lower.
 * @param values 0 or more, Infinity among them, none NaN @param rank from 0 to the number of values less one
 */
export function rankedValue(values: Float32Array, rank: number): number {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const [upper, within] = findBin(bits, rank, (entry) => entry >>> HALF);
  const [lower] = findBin(bits, within, (entry) => (entry >>> HALF === upper ? entry & (BINS - 1) : BINS));
  return new Float32Array(Uint32Array.of(upper * BINS + lower).buffer)[0]!;
}
