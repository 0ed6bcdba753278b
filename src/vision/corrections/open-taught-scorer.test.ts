import { describe, expect, it } from 'vitest';
import type { JudgedPatches } from '../anomaly-map/patch-measure.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openTaughtScorer } from './open-taught-scorer.ts';
import { isAnythingTaught, joinTaught, nothingTaught, type TaughtPatches } from './taught-patches.ts';

const DIMS = 6;
const random = createRandom(4);
const normal = (rows: number): Matrix => ({
  rows,
  columns: DIMS,
  data: Float32Array.from({ length: rows * DIMS }, () => random.normal()),
});
const row = ({ data }: Matrix, index: number): number[] => [...data.subarray(index * DIMS, (index + 1) * DIMS)];
const apart = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((v, d) => v - (b[d] ?? 0)));

function judgedPatches(rows: number, columns: number): JudgedPatches {
  const distances = Float32Array.from({ length: rows * columns }, () => 1 + random.next());
  return { rows, columns, evidence: normal(rows * columns), distances };
}

/** The definition, patch by patch. */
function slowScores({ rows, columns, evidence, distances, factors }: JudgedPatches, taught: TaughtPatches) {
  const near = Array.from(distances, (distance, cell) => {
    const patch = row(evidence, cell);
    const known = Array.from({ length: taught.good.rows }, (_, i) => apart(patch, row(taught.good, i)));
    return Math.min(distance, ...known);
  });
  const { data } = gaussianBlur({ rows, columns, data: Float32Array.from(near) }, 1);
  return near.map((distance, cell) => {
    const patch = row(evidence, cell);
    const raised = Array.from(taught.weights, (w, i) => (distance / (w * apart(patch, row(taught.bad, i)))) ** 2);
    const most = Math.max(0, ...raised);
    const plain = (data[cell] ?? 0) * (factors?.[cell] ?? 1);
    const score = Math.max(plain, Math.min(taught.ceiling, most));
    return { score, kind: score > plain ? taught.kinds[raised.indexOf(most)] : undefined };
  });
}

describe('openTaughtScorer', () => {
  it('equals its definition, chunk by chunk', async () => {
    const factors = Float64Array.from({ length: 1200 }, () => 0.5 + random.next());
    const weights = Float32Array.of(0.4, 0.6, 0.5, 0.9);
    // A ceiling that is not reached, so that it is clear which patch raised a cell.
    const missed = { bad: normal(4), weights, kinds: [3, null, 3, 8], ceiling: 1000 };
    const taught = { ...nothingTaught(DIMS), good: normal(5), ...missed };
    const scorer = await openTaughtScorer(taught, 1);
    for (const judged of [judgedPatches(30, 40), { ...judgedPatches(30, 40), factors }]) {
      const { map, kinds } = await scorer.score(judged);
      const expected = slowScores(judged, taught);
      expected.forEach(({ score, kind }, cell) => {
        expect(map.data[cell]).toBeCloseTo(score, 3);
        expect(kinds?.[cell]).toBe(kind);
      });
      expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set([undefined, null, 3, 8]));
    }
    await scorer.dispose();
  });

  it('leaves everything as it was where nothing was taught', async () => {
    const judged = judgedPatches(8, 8);
    expect(isAnythingTaught(nothingTaught(DIMS))).toBe(false);
    const scorer = await openTaughtScorer(nothingTaught(DIMS), 1);
    const { map } = await scorer.score(judged);
    expect(map).toEqual(gaussianBlur({ rows: 8, columns: 8, data: judged.distances }, 1));
    await scorer.dispose();
  });

  it('takes alarms from elsewhere, but not near those that were false', async () => {
    const judged = judgedPatches(30, 40);
    const alarms = Float32Array.from({ length: 1200 }, () => 3 * random.next());
    const hushed = { hushed: normal(6), hushWeights: Float32Array.of(0.3, 0.4, 0.5, 0.6, 0.7, 0.8) };
    const scorer = await openTaughtScorer({ ...nothingTaught(DIMS), ...hushed }, 1);
    const scores = await scorer.score({ ...judged, alarms });
    await scorer.dispose();
    const plain = gaussianBlur({ rows: 30, columns: 40, data: judged.distances }, 1).data;
    let quiet = 0;
    judged.distances.forEach((distance, cell) => {
      const far = Array.from(
        hushed.hushWeights,
        (w, i) => w * apart(row(judged.evidence, cell), row(hushed.hushed, i)),
      );
      const isFalse = Math.min(...far) <= distance;
      quiet += Number(isFalse);
      expect(scores.hushed?.[cell]).toBe(Number(isFalse));
      const score = plain[cell] ?? 0;
      expect(scores.map.data[cell]).toBe(isFalse ? score : Math.max(score, alarms[cell] ?? 0));
    });
    expect(quiet).toBeGreaterThan(20);
    expect(quiet).toBeLessThan(1180);
  });

  it('raises a taught patch to the ceiling, but none that was taught as good', async () => {
    const judged = judgedPatches(4, 4);
    const cell = (index: number): Matrix => ({
      rows: 1,
      columns: DIMS,
      data: Float32Array.from(row(judged.evidence, index)),
    });
    const missed = { ...nothingTaught(DIMS), bad: cell(5), weights: Float32Array.of(1), kinds: [null], ceiling: 7 };
    const scorer = await openTaughtScorer(missed, 0);
    expect((await scorer.score(judged)).map.data[5]).toBe(7);
    await scorer.dispose();
    const nearby = cell(5);
    nearby.data[0] = (nearby.data[0] ?? 0) + 0.1;
    const good = { ...nothingTaught(DIMS), good: cell(5) };
    const both = await openTaughtScorer(joinTaught(good, { ...missed, bad: nearby }), 0);
    expect((await both.score(judged)).map.data[5]).toBeLessThan(0.01);
    await both.dispose();
  });
});
