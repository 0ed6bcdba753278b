import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openSession } from '../onnx/open-session.ts';
import { nearestCandidatesPart } from './nearest-candidates-part.ts';
import { nearestNeighboursPart, type PatchMemory } from './nearest-neighbours-part.ts';

const random = createRandom(4);
const DIMS = 32;

/** Patches as they are: in groups, some axes longer than others, far from the origin. */
function patches(rows: number, centres: Matrix): Matrix {
  const data = new Float32Array(rows * DIMS);
  for (let row = 0; row < rows; row++) {
    const centre = random.integer(centres.rows);
    for (let d = 0; d < DIMS; d++)
      data[row * DIMS + d] = (centres.data[centre * DIMS + d]! + 0.3 * random.normal()) / (1 + 0.2 * d) + 1;
  }
  return { rows, columns: DIMS, data };
}

const centres: Matrix = {
  rows: 40,
  columns: DIMS,
  data: Float32Array.from({ length: 40 * DIMS }, () => random.normal()),
};
const bank = patches(1500, centres);
const weights = Float32Array.from({ length: bank.rows }, () => 0.25 + 2 * random.next());
const queries = patches(400, centres);

async function distances(
  { candidates, ...memory }: PatchMemory,
  neighbours: number,
  asked = queries,
): Promise<Float32Array> {
  const session = await openSession({
    ...(candidates === undefined
      ? nearestNeighboursPart('queries', memory, neighbours, 'result')
      : nearestCandidatesPart('queries', { ...memory, candidates }, neighbours, 'result')),
    inputs: [{ name: 'queries', dims: ['queries', DIMS] }],
    outputs: [{ name: 'result', dims: ['queries'] }],
  });
  const { result } = await session.run({ queries: new Tensor('float32', asked.data, [asked.rows, DIMS]) });
  await session.release();
  return result?.data as Float32Array;
}

describe('nearestCandidatesPart', () => {
  it.each([
    { memory: { bank }, neighbours: 1 },
    { memory: { bank }, neighbours: 3 },
    { memory: { bank, weights }, neighbours: 1 },
    { memory: { bank, weights }, neighbours: 3 },
  ])('finds the nearest of all members for nearly every patch: $neighbours neighbours', async (search) => {
    const exact = await distances(search.memory, search.neighbours);
    const candidates = 2 * search.neighbours + 2;
    const fast = await distances({ ...search.memory, candidates }, search.neighbours);
    const ratios = Array.from(fast, (distance, query) => distance / exact[query]!);
    expect(Math.min(...ratios)).toBeGreaterThan(0.9999);
    expect(Math.max(...ratios)).toBeLessThan(1.25);
    expect(ratios.filter((ratio) => ratio < 1.0001).length).toBeGreaterThan(0.95 * queries.rows);
  });

  it('finds a wrong member only for want of candidates', async () => {
    const exact = await distances({ bank, weights }, 1);
    const all = await distances({ bank, weights, candidates: bank.rows }, 1);
    all.forEach((distance, query) => {
      expect(distance).toBeCloseTo(exact[query]!, 4);
    });
  });

  it('judges what lies far outside of all members as far', async () => {
    const far = { ...queries, data: queries.data.map((value) => 50 * value) };
    const memory = { bank, weights };
    const [exact, fast] = [await distances(memory, 1, far), await distances({ ...memory, candidates: 4 }, 1, far)];
    fast.forEach((distance, query) => {
      expect(distance / exact[query]!).toBeGreaterThan(0.9999);
      expect(distance / exact[query]!).toBeLessThan(10);
    });
  });
});
