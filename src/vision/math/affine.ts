import type { Affine } from '../types.ts';

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 0, e: 1, f: 0 };

export const applyAffine = ({ a, b, c, d, e, f }: Affine, x: number, y: number): readonly [number, number] => [
  a * x + b * y + c,
  d * x + e * y + f,
];

/** How many square pixels of the target one square pixel of the source becomes. */
export const affineArea = ({ a, b, d, e }: Affine): number => Math.abs(a * e - b * d);

/** The way back. The transform must not flatten the plane. */
export function invertAffine({ a, b, c, d, e, f }: Affine): Affine {
  const determinant = a * e - b * d;
  const [ia, ib, id, ie] = [e / determinant, -b / determinant, -d / determinant, a / determinant];
  return { a: ia, b: ib, c: -(ia * c + ib * f), d: id, e: ie, f: -(id * c + ie * f) };
}

export const translation = (x: number, y: number): Affine => ({ ...IDENTITY, c: x, f: y });

/** First `inner`, then `outer`. */
export const composeAffine = (outer: Affine, inner: Affine): Affine => ({
  a: outer.a * inner.a + outer.b * inner.d,
  b: outer.a * inner.b + outer.b * inner.e,
  c: outer.a * inner.c + outer.b * inner.f + outer.c,
  d: outer.d * inner.a + outer.e * inner.d,
  e: outer.d * inner.b + outer.e * inner.e,
  f: outer.d * inner.c + outer.e * inner.f + outer.f,
});
