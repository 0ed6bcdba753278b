import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.ts';
import { type MaskedMap, pixelMetrics } from './pixel-metrics.ts';
import { imageAuroc } from './ranking-metrics.ts';

const [WIDTH, HEIGHT] = [12, 10];
const map = (value: (x: number, y: number) => number) => ({
  rows: HEIGHT,
  columns: WIDTH,
  data: Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => value(i % WIDTH, Math.floor(i / WIDTH))),
});
const masked = (scores: MaskedMap['map'], inside: (x: number, y: number) => boolean): MaskedMap => ({
  map: scores,
  width: WIDTH,
  height: HEIGHT,
  mask: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => (inside(i % WIDTH, Math.floor(i / WIDTH)) ? 255 : 0)),
});

/** Straight from the definition: for each threshold the mean overlap of both parts and the false positive rate. */
function slowPro(image: MaskedMap, parts: ((x: number, y: number) => boolean)[]): number {
  const cells = Array.from(image.map.data, (score, i) => ({
    score,
    part: parts.findIndex((inside) => inside(i % WIDTH, Math.floor(i / WIDTH))),
  }));
  const share = (part: number, threshold: number): number => {
    const own = cells.filter((cell) => cell.part === part);
    return own.filter((cell) => cell.score >= threshold).length / own.length;
  };
  const points = [Infinity, ...[...new Set(image.map.data)].sort((a, b) => b - a)].map((threshold) => ({
    fpr: share(-1, threshold),
    pro: parts.reduce((sum, _, part) => sum + share(part, threshold), 0) / parts.length,
  }));
  let area = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1] ?? { fpr: 0, pro: 0 }, points[i] ?? { fpr: 0, pro: 0 }];
    if (a.fpr >= 0.3) break;
    const kept = b.fpr > a.fpr ? Math.min(1, (0.3 - a.fpr) / (b.fpr - a.fpr)) : 0;
    area += kept * (b.fpr - a.fpr) * (a.pro + (kept * (b.pro - a.pro)) / 2);
  }
  return area / 0.3;
}

describe('pixelMetrics', () => {
  const left = (x: number, y: number): boolean => x < 3 && y < 4;
  const right = (x: number): boolean => x > 9;
  const either = (x: number, y: number): boolean => left(x, y) || right(x);

  it('equals the definitions', () => {
    const random = createRandom(8);
    const image = masked(
      map((x, y) => random.next() + (either(x, y) ? 0.4 : 0)),
      either,
    );
    const good: number[] = [];
    const defect: number[] = [];
    image.map.data.forEach((score, i) => {
      (either(i % WIDTH, Math.floor(i / WIDTH)) ? defect : good).push(score);
    });
    const { auroc, pro } = pixelMetrics([image]);
    expect(auroc).toBeCloseTo(imageAuroc({ good, defect }) ?? Number.NaN, 2);
    expect(pro).toBeCloseTo(slowPro(image, [left, right]), 2);
  });

  it('is 1 for a perfect map and null without defect pixels', () => {
    const perfect = masked(
      map((x, y) => (either(x, y) ? 1 : 0)),
      either,
    );
    expect(pixelMetrics([perfect]).auroc).toBeCloseTo(1, 9);
    expect(pixelMetrics([perfect]).pro).toBeCloseTo(1, 9);
    const good = { map: map((x) => x), width: WIDTH, height: HEIGHT };
    expect(pixelMetrics([good])).toEqual({ auroc: null, pro: null });
    expect(pixelMetrics([])).toEqual({ auroc: null, pro: null });
  });
});
