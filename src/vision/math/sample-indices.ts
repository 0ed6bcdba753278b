import type { Random } from '../types.ts';

/** `count` distinct indices below `size` (all of them at most), ascending: a partial Fisher–Yates shuffle. */
export function sampleIndices(size: number, count: number, random: Random): Uint32Array {
  const indices = Uint32Array.from({ length: size }, (_, index) => index);
  const taken = Math.min(count, size);
  for (let i = 0; i < taken; i++) {
    const j = i + random.integer(size - i);
    const swapped = indices[i]!;
    indices[i] = indices[j]!;
    indices[j] = swapped;
  }
  return indices.slice(0, taken).sort();
}
