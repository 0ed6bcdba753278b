import { describe, expect, it } from 'vitest';
import type { MeasuredPatches } from '../anomaly-map/map-scorer.ts';
import { gaussianBlur } from '../math/gaussian-blur.ts';
import type { Matrix } from '../math/matrix.ts';
import { createRandom } from '../math/random.ts';
import { openCorrectedScorer } from './corrected-scorer.ts';
import { type CorrectionPatches, hasCorrections, joinCorrections, noCorrections } from './correction-patches.ts';

const DIMS = 6;
const random = createRandom(4);
const normal = (rows: number): Matrix => ({
  rows,
  columns: DIMS,
  data: Float32Array.from({ length: rows * DIMS }, () => random.normal()),
});
const row = ({ data }: Matrix, index: number): number[] => [...data.subarray(index * DIMS, (index + 1) * DIMS)];
const apart = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((v, d) => v - (b[d] ?? 0)));

function measuredPatches(rows: number, columns: number): MeasuredPatches {
  const distances = Float32Array.from({ length: rows * columns }, () => 1 + random.next());
  return { rows, columns, features: normal(rows * columns), distances };
}

/** The definition, patch by patch. */
function slowScores({ rows, columns, features, distances, factors }: MeasuredPatches, corrections: CorrectionPatches) {
  const near = Array.from(distances, (distance, cell) => {
    const patch = row(features, cell);
    const known = Array.from({ length: corrections.good.rows }, (_, i) => apart(patch, row(corrections.good, i)));
    return Math.min(distance, ...known);
  });
  const { data } = gaussianBlur({ rows, columns, data: Float32Array.from(near) }, 1);
  return near.map((distance, cell) => {
    const patch = row(features, cell);
    const raised = Array.from(
      corrections.missedWeights,
      (w, i) => (distance / (w * apart(patch, row(corrections.missed, i)))) ** 2,
    );
    const most = Math.max(0, ...raised);
    const plain = (data[cell] ?? 0) * (factors?.[cell] ?? 1);
    const score = Math.max(plain, Math.min(corrections.ceiling, most));
    return { score, kind: score > plain ? corrections.missedLabels[raised.indexOf(most)] : undefined };
  });
}

describe('openCorrectedScorer', () => {
  it('equals its definition', async () => {
    const factors = Float64Array.from({ length: 1200 }, () => 0.5 + random.next());
    const weights = Float32Array.of(0.4, 0.6, 0.5, 0.9);
    // A ceiling that is not reached, so that it is clear which patch raised a cell.
    const missed = { missed: normal(4), missedWeights: weights, missedLabels: [3, null, 3, 8], ceiling: 1000 };
    const corrections = { ...noCorrections(DIMS), good: normal(5), ...missed };
    const scorer = await openCorrectedScorer(corrections, 1);
    for (const measured of [measuredPatches(30, 40), { ...measuredPatches(30, 40), factors }]) {
      const { map, labels } = await scorer.score(measured);
      const expected = slowScores(measured, corrections);
      expected.forEach(({ score, kind }, cell) => {
        expect(map.data[cell]).toBeCloseTo(score, 3);
        expect(labels?.[cell]).toBe(kind);
      });
      expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set([undefined, null, 3, 8]));
    }
    await scorer.dispose();
  });

  it('changes nothing without corrections', async () => {
    const measured = measuredPatches(8, 8);
    expect(hasCorrections(noCorrections(DIMS))).toBe(false);
    const scorer = await openCorrectedScorer(noCorrections(DIMS), 1);
    const { map } = await scorer.score(measured);
    expect(map).toEqual(gaussianBlur({ rows: 8, columns: 8, data: measured.distances }, 1));
    await scorer.dispose();
  });

  it('counts network scores, but not near suppressed patches', async () => {
    const measured = measuredPatches(30, 40);
    const networkScores = Float32Array.from({ length: 1200 }, () => 3 * random.next());
    const suppression = { suppressed: normal(6), suppressedWeights: Float32Array.of(0.3, 0.4, 0.5, 0.6, 0.7, 0.8) };
    const scorer = await openCorrectedScorer({ ...noCorrections(DIMS), ...suppression }, 1);
    const scores = await scorer.score({ ...measured, networkScores });
    await scorer.dispose();
    const plain = gaussianBlur({ rows: 30, columns: 40, data: measured.distances }, 1).data;
    let quiet = 0;
    measured.distances.forEach((distance, cell) => {
      const far = Array.from(
        suppression.suppressedWeights,
        (w, i) => w * apart(row(measured.features, cell), row(suppression.suppressed, i)),
      );
      const isFalse = Math.min(...far) <= distance;
      quiet += Number(isFalse);
      expect(scores.suppressed?.[cell]).toBe(Number(isFalse));
      const score = plain[cell] ?? 0;
      expect(scores.map.data[cell]).toBe(isFalse ? score : Math.max(score, networkScores[cell] ?? 0));
    });
    expect(quiet).toBeGreaterThan(20);
    expect(quiet).toBeLessThan(1180);
  });

  it('raises a missed patch to the ceiling, but none that was corrected to good', async () => {
    const measured = measuredPatches(4, 4);
    const cell = (index: number): Matrix => ({
      rows: 1,
      columns: DIMS,
      data: Float32Array.from(row(measured.features, index)),
    });
    const missed = {
      ...noCorrections(DIMS),
      missed: cell(5),
      missedWeights: Float32Array.of(1),
      missedLabels: [null],
      ceiling: 7,
    };
    const scorer = await openCorrectedScorer(missed, 0);
    expect((await scorer.score(measured)).map.data[5]).toBe(7);
    await scorer.dispose();
    const nearby = cell(5);
    nearby.data[0] = (nearby.data[0] ?? 0) + 0.1;
    const good = { ...noCorrections(DIMS), good: cell(5) };
    const both = await openCorrectedScorer(joinCorrections(good, { ...missed, missed: nearby }), 0);
    expect((await both.score(measured)).map.data[5]).toBeLessThan(0.01);
    await both.dispose();
  });
});
