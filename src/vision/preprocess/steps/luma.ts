import type { ReadonlyBytes } from '../../types.ts';

/** Brightness of the pixel at `at` (its red byte), 0 to 255; weights of ITU-R BT.601 in 16-bit fixed point. */
export function lumaOf(data: ReadonlyBytes, at: number): number {
  return (data[at]! * 19595 + data[at + 1]! * 38470 + data[at + 2]! * 7471 + 32768) >> 16;
}

export function toByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}
