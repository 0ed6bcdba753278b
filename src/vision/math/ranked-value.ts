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
 * The value that would be at `rank` if all were sorted, in time linear in their number: the bits of numbers that are not negative
 * are in the order of the numbers, so that they are counted by their upper half, and those of one bin by the lower.
 * @param values 0 or more, Infinity among them, none NaN @param rank from 0 to the number of values less one
 */
export function rankedValue(values: Float32Array, rank: number): number {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const [upper, within] = findBin(bits, rank, (entry) => entry >>> HALF);
  const [lower] = findBin(bits, within, (entry) => (entry >>> HALF === upper ? entry & (BINS - 1) : BINS));
  return new Float32Array(Uint32Array.of(upper * BINS + lower).buffer)[0]!;
}
