import type { Random } from '../../vision/types.ts';
import { cloudNoise } from '../picture/noise.ts';
import type { Box } from '../picture/scene.ts';

/** A patch with an uneven outline: stains, drops, holes in cloth. */
export interface Blob {
  readonly x: number;
  readonly y: number;
  readonly box: Box;
  /** Signed distance from the outline, negative inside, in the units of the coordinates. */
  distance(x: number, y: number): number;
}

/** @param roughness how far the outline strays, as a share of the radius. */
export function createBlob(random: Random, x: number, y: number, radius: number, roughness: number): Blob {
  const seed = random.integer(2 ** 32) | 0;
  const stretch = 0.75 + random.next() * 0.25;
  const angle = random.next() * Math.PI;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const reach = radius * (1 + roughness) * 1.1;
  return {
    x,
    y,
    box: { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach },
    distance(px, py) {
      const dx = px - x;
      const dy = py - y;
      const u = dx * cos + dy * sin;
      const v = (dy * cos - dx * sin) / stretch;
      const far = Math.sqrt(u * u + v * v);
      return far - radius * (1 + roughness * cloudNoise((dx / radius) * 1.6, (dy / radius) * 1.6, seed));
    },
  };
}

/** A box with some room on each side. */
export function widen(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by };
}
