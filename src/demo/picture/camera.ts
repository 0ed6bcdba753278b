import type { Random } from '../../vision/types.ts';
import { hashNoise } from './noise.ts';
import type { Rgb } from './scene.ts';

/** Exposure, fall-off of the light to the corners and grain of the sensor: what differs between two photos of one part. */
export interface Camera {
  /** Changes the colour at a point (frame units) in place. */
  expose(x: number, y: number, out: Rgb): void;
  /** Adds the noise of one pixel's three channels in place. */
  addGrain(column: number, row: number, out: Rgb): void;
}

export function createCamera(random: Random): Camera {
  const exposure = 1 + (random.next() - 0.5) * 0.06;
  const warmth = (random.next() - 0.5) * 0.02;
  const tiltX = (random.next() - 0.5) * 0.08;
  const tiltY = (random.next() - 0.5) * 0.08;
  const strength = 2.4 + random.next() * 0.8;
  const seed = random.integer(2 ** 32) | 0;

  return {
    expose(x, y, out) {
      const light = exposure * (1 - 0.16 * (x * x + y * y) + tiltX * x + tiltY * y);
      out[0]! *= light * (1 + warmth);
      out[1]! *= light;
      out[2]! *= light * (1 - warmth);
    },
    // The sum of two uniform numbers, near enough to a bell curve for grain. One of them is common to the channels.
    addGrain(column, row, out) {
      const shared = hashNoise(column, row, seed) - 1;
      // One hash is long enough to be cut in three.
      const own = hashNoise(column, row, seed ^ 0x51ed270b) * 1024;
      const second = (own % 1) * 1024;
      out[0]! += (shared + own / 1024) * strength * 2;
      out[1]! += (shared + second / 1024) * strength * 2;
      out[2]! += (shared + (second % 1)) * strength * 2;
    },
  };
}
