import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';
import { sampleIndices } from './sample-indices.ts';

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
