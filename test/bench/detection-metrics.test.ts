import { describe, expect, it } from 'vitest';
import { meanAveragePrecision } from '../../bench/accuracy/detection-metrics.ts';
import { intersectionOverUnion } from '../../src/vision/math/rectangle.ts';

const box = (image: number, label: number, x: number, score = 0) => ({
  image,
  label,
  xMin: x,
  yMin: 0,
  xMax: x + 10,
  yMax: 10,
  score,
});

describe('detection metrics', () => {
  it('measure overlap', () => {
    expect(intersectionOverUnion(box(0, 1, 0), box(0, 1, 5))).toBeCloseTo(1 / 3, 12);
    expect(intersectionOverUnion(box(0, 1, 0), box(0, 1, 10))).toBe(0);
  });

  it('are 1 where everything is found, also with false boxes below', () => {
    const truth = [box(0, 1, 0), box(1, 2, 0)];
    const found = [box(0, 1, 2, 0.9), box(1, 2, 1, 0.5), box(1, 1, 0, 0.4)];
    expect(meanAveragePrecision(truth, found, 0.33)).toEqual({ mean: 1, perClass: { 1: 1, 2: 1 } });
  });

  it('take each true box once, in its image, from the overlap on that is asked for', () => {
    const truth = [box(0, 1, 0), box(0, 1, 100)];
    // Right, a second box of the same defect, one of another image, and right again: precisions 1 and 1/2.
    const found = [box(0, 1, 0, 0.9), box(0, 1, 1, 0.8), box(3, 1, 100, 0.7), box(0, 1, 105, 0.6)];
    expect(meanAveragePrecision(truth, found, 0.33).mean).toBeCloseTo(0.5 * 1 + 0.5 * 0.5, 12);
    expect(meanAveragePrecision(truth, found, 0.34).mean).toBeCloseTo(0.5, 12);
  });

  it('fills precision up from higher recall', () => {
    const truth = [box(0, 1, 0), box(0, 1, 100), box(0, 1, 200)];
    const found = [box(0, 1, 50, 0.9), box(0, 1, 0, 0.8), box(0, 1, 100, 0.7)];
    expect(meanAveragePrecision(truth, found, 0.33).mean).toBeCloseTo((2 * (2 / 3)) / 3, 12);
    expect(meanAveragePrecision([], found, 0.33).mean).toBeNull();
  });
});
