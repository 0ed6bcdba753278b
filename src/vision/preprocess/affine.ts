import type { Affine } from '../types.ts';

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 0, e: 1, f: 0 };

export function translation(x: number, y: number): Affine {
  return { ...IDENTITY, c: x, f: y };
}

/** First `inner`, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  return {
    a: outer.a * inner.a + outer.b * inner.d,
    b: outer.a * inner.b + outer.b * inner.e,
    c: outer.a * inner.c + outer.b * inner.f + outer.c,
    d: outer.d * inner.a + outer.e * inner.d,
    e: outer.d * inner.b + outer.e * inner.e,
    f: outer.d * inner.c + outer.e * inner.f + outer.f,
  };
}

/** @throws RangeError where the map flattens the plane and has no way back. */
export function invert(map: Affine): Affine {
  const determinant = map.a * map.e - map.b * map.d;
  if (Math.abs(determinant) < 1e-12) throw new RangeError(`an affine map of determinant ${determinant} has no inverse`);
  const a = map.e / determinant;
  const b = -map.b / determinant;
  const d = -map.d / determinant;
  const e = map.a / determinant;
  return { a, b, c: -(a * map.c + b * map.f), d, e, f: -(d * map.c + e * map.f) };
}

export function transformPoint(map: Affine, x: number, y: number): [number, number] {
  return [map.a * x + map.b * y + map.c, map.d * x + map.e * y + map.f];
}
