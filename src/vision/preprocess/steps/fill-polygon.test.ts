import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillPolygon, type Point } from './mask.ts';

/** Inside = a ray to the right crosses the outline an odd number of times. */
function isInside(corners: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  corners.forEach(([x0, y0], index) => {
    const [x1, y1] = corners[(index + 1) % corners.length]!;
    if (y0 <= y !== y1 <= y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
  });
  return inside;
}

it('sets the cells whose centre is inside, for any outline', () => {
  const corner = fc.tuple(fc.double({ min: -4, max: 16, noNaN: true }), fc.double({ min: -4, max: 16, noNaN: true }));
  fc.assert(
    fc.property(fc.array(corner, { minLength: 3, maxLength: 8 }), (corners) => {
      const map = new Uint8Array(12 * 10);
      fillPolygon(map, 12, 10, corners);
      const expected = Array.from(map, (_, at) =>
        Number(isInside(corners, (at % 12) + 0.5, Math.floor(at / 12) + 0.5)),
      );
      expect([...map]).toEqual(expected);
    }),
    { numRuns: 300, seed: 1 },
  );
});
