import type { Random } from '../types.ts';

const TWO_32 = 2 ** 32;

/**
 * Seeded generator, xoshiro128** (Blackman & Vigna 2018) started from SplitMix32: integer arithmetic only, so a seed
 * gives the same numbers on every machine.
 * @param seed any integer; its low 32 bits count.
 * @throws RangeError from `integer` when the limit is not a whole number from 1 to 2^32.
 */
export function createRandom(seed: number): Random {
  const word = createXoshiro128(seed);
  let spare: number | undefined;

  function next(): number {
    // 53 bits, so that every double in [0, 1) on the grid of 2^-53 can come up.
    return ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53;
  }

  function integer(limit: number): number {
    if (!Number.isInteger(limit) || limit < 1 || limit > TWO_32) {
      throw new RangeError(`random.integer needs a whole limit from 1 to 2^32, got ${limit}`);
    }
    // Values past the last whole multiple of `limit` are drawn again: no remainder is more likely than another.
    const usable = TWO_32 - (TWO_32 % limit);
    let value = word();
    while (value >= usable) value = word();
    return value % limit;
  }

  /** Box & Muller 1958; the pair's second value is kept for the next call. */
  function normal(): number {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  return { next, integer, normal };
}

function createXoshiro128(seed: number): () => number {
  let mixed = seed >>> 0;
  const splitMix = (): number => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let z = mixed;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  let a = splitMix();
  let b = splitMix();
  let c = splitMix();
  let d = splitMix();

  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

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
