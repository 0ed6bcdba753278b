import { expect, it } from 'vitest';
import { applyAffine, composeAffine, invertAffine, translation } from './affine.ts';

const TURN = { a: 0.8, b: -0.6, c: 12, d: 0.6, e: 0.8, f: -7 };
const STRETCH = { a: 2, b: 0.1, c: 3, d: 0, e: 0.5, f: 1 };

it('composes as applying one after the other', () => {
  const [x, y] = applyAffine(STRETCH, 5, 9);
  expect(applyAffine(composeAffine(TURN, STRETCH), 5, 9)).toEqual(applyAffine(TURN, x, y));
});

it('inverts', () => {
  for (const map of [TURN, STRETCH, translation(4, 5)]) {
    const [x, y] = applyAffine(map, 31, -8);
    const [backX, backY] = applyAffine(invertAffine(map), x, y);
    expect(backX).toBeCloseTo(31, 9);
    expect(backY).toBeCloseTo(-8, 9);
  }
});
