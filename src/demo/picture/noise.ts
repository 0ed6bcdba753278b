/** Uniform noise in [0, 1) that depends on the place and the seed only: any part of a picture can be drawn on its own. */
export function hashNoise(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise in [0, 1) with a grid of 1: hashed corners, joined by cubic weights. */
export function valueNoise(x: number, y: number, seed: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const u = smooth(x - column);
  const v = smooth(y - row);
  const top = mix(hashNoise(column, row, seed), hashNoise(column + 1, row, seed), u);
  const bottom = mix(hashNoise(column, row + 1, seed), hashNoise(column + 1, row + 1, seed), u);
  return mix(top, bottom, v);
}

/** Two octaves of smooth noise, in [-1, 1]. */
export function cloudNoise(x: number, y: number, seed: number): number {
  return (valueNoise(x, y, seed) * 2 + valueNoise(x * 2.3, y * 2.3, seed ^ 0x5bd1e995) - 1.5) / 1.5;
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}
