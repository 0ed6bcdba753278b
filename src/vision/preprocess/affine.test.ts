import { expect, it } from 'vitest';
import { compose, invert, transformPoint, translation } from './affine.ts';

const TURN = { a: 0.8, b: -0.6, c: 12, d: 0.6, e: 0.8, f: -7 };
const STRETCH = { a: 2, b: 0.1, c: 3, d: 0, e: 0.5, f: 1 };

it('composes as applying one after the other', () => {
  const [x, y] = transformPoint(STRETCH, 5, 9);
  expect(transformPoint(compose(TURN, STRETCH), 5, 9)).toEqual(transformPoint(TURN, x, y));
});

it('inverts', () => {
  for (const map of [TURN, STRETCH, translation(4, 5)]) {
    const [x, y] = transformPoint(map, 31, -8);
    const [backX, backY] = transformPoint(invert(map), x, y);
    expect(backX).toBeCloseTo(31, 9);
    expect(backY).toBeCloseTo(-8, 9);
  }
  expect(() => invert({ a: 1, b: 2, c: 0, d: 2, e: 4, f: 0 })).toThrow(/no inverse/);
});
