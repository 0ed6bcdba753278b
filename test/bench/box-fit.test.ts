import { expect, it } from 'vitest';
import { fitBoxes, type MaskedRegions } from '../../bench/accuracy/box-fit.ts';

const box = (xMin: number, yMin: number, xMax: number, yMax: number) => ({ xMin, yMin, xMax, yMax });

/** 10×10 pixels with a part of 4×4 at (1, 1) and one of 2×1 at (7, 8). */
function masked(...regions: MaskedRegions['regions']) {
  const mask = new Uint8Array(100);
  for (let y = 1; y < 5; y++) mask.fill(1, 10 * y + 1, 10 * y + 5);
  mask.fill(1, 87, 89);
  return { width: 10, height: 10, mask, regions };
}

it('measures boxes against the parts of masks, over images that were found NG', () => {
  const fit = fitBoxes([
    masked(box(1, 1, 5, 9)),
    masked(box(0, 0, 2, 10), box(1, 1, 5, 5), box(7, 8, 9, 9)),
    masked(),
    { ...masked(box(0, 0, 10, 10)), mask: new Uint8Array(100) },
  ]);
  // Parts: 0.5 and 0 in the first image, 1 and 1 in the second.
  expect(fit?.median_iou).toBeCloseTo(0.75);
  expect(fit?.median_iou_largest).toBeCloseTo(0.75);
  expect(fit?.share_covered).toBeCloseTo((16 / 18 + 1) / 2);
  expect(fit?.regions_per_image).toBe(2);
  // Rectangles count where no outline is known: 16 of 32 + 2 pixels, and 18 of 20 + 12 + 2.
  expect(fit?.median_outline_iou).toBeCloseTo((16 / 34 + 18 / 34) / 2);
  const diamond = [
    [3, 1],
    [5, 3],
    [3, 5],
    [1, 3],
  ] as const;
  expect(fitBoxes([masked({ ...box(0, 0, 10, 10), outline: diamond })])?.median_outline_iou).toBeCloseTo(8 / 18);
  expect(fitBoxes([masked()])).toBeUndefined();
});
