import { describe, expect, it } from 'vitest';
import { createRandom, sampleIndices } from './random.ts';

/** The published recurrence in 64-bit integers cut to 32 bits, as slow and plain as it can be. */
function slowWords(seed: number, count: number): number[] {
  const cut = (n: bigint): bigint => n & 0xffffffffn;
  const rotate = (n: bigint, by: bigint): bigint => cut((n << by) | (n >> (32n - by)));
  let mixed = cut(BigInt(seed));
  const state = [0, 1, 2, 3].map(() => {
    mixed = cut(mixed + 0x9e3779b9n);
    let z = mixed;
    z = cut((z ^ (z >> 16n)) * 0x21f0aaadn);
    z = cut((z ^ (z >> 15n)) * 0x735a2d97n);
    return z ^ (z >> 15n);
  });
  return Array.from({ length: count }, () => {
    let [a, b, c, d] = state as [bigint, bigint, bigint, bigint];
    const result = cut(rotate(cut(b * 5n), 7n) * 9n);
    const shifted = cut(b << 9n);
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    state.splice(0, 4, a, b, c, rotate(d, 11n));
    return Number(result);
  });
}

describe('createRandom', () => {
  it('follows the published recurrence', () => {
    for (const seed of [0, 1, 12345, 0xffffffff]) {
      const random = createRandom(seed);
      expect(Array.from({ length: 50 }, () => random.integer(2 ** 32))).toEqual(slowWords(seed, 50));
    }
  });

  it('draws integers evenly', () => {
    const random = createRandom(7);
    const counts = new Array<number>(7).fill(0);
    for (let n = 0; n < 70_000; n++) counts[random.integer(7)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('gives uniform and normal numbers with the right moments', () => {
    const random = createRandom(3);
    let sum = 0;
    let normalSum = 0;
    let normalSquares = 0;
    for (let n = 0; n < 50_000; n++) {
      const value = random.next();
      expect(value >= 0 && value < 1).toBe(true);
      sum += value;
      const z = random.normal();
      normalSum += z;
      normalSquares += z * z;
    }
    expect(sum / 50_000).toBeCloseTo(0.5, 2);
    expect(Math.abs(normalSum / 50_000)).toBeLessThan(0.02);
    expect(normalSquares / 50_000).toBeCloseTo(1, 1);
  });

  it('refuses limits it cannot draw for', () => {
    for (const limit of [0, -1, 1.5, 2 ** 33, Number.NaN])
      expect(() => createRandom(1).integer(limit)).toThrow(RangeError);
  });
});

describe('sampleIndices', () => {
  it('gives distinct ascending indices, all of them at most', () => {
    const some = [...sampleIndices(100, 10, createRandom(4))];
    expect(new Set(some).size).toBe(10);
    expect(some).toEqual([...some].sort((a, b) => a - b));
    expect([...sampleIndices(5, 9, createRandom(4))]).toEqual([0, 1, 2, 3, 4]);
  });

  it('prefers no index', () => {
    const random = createRandom(1);
    const counts = new Array<number>(10).fill(0);
    for (let round = 0; round < 3000; round++)
      for (const index of sampleIndices(10, 3, random)) counts[index] = (counts[index] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 900)).toBeLessThan(120);
  });
});
