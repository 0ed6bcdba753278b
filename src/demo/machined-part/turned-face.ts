import type { Random } from '../../vision/types.ts';
import { clamp01, hashNoise } from '../picture/noise.ts';

/** Marks of the turning tool: brightness as a function of the radius, about -1 to 1. */
export interface ToolMarks {
  at(radius: number): number;
}

const LONGEST = 0.5;

/** Grooves of three widths laid over each other; every part has its own. */
export function createToolMarks(random: Random): ToolMarks {
  const seed = random.integer(2 ** 32) | 0;
  const feed = 210 + random.next() * 12;
  const steps = 4096;
  const table = new Float64Array(steps + 2);
  for (let step = 0; step < table.length; step++) {
    const radius = (step / steps) * LONGEST;
    const groove = Math.sin(radius * feed * 2 * Math.PI) * 0.35;
    table[step] = groove + ripple(radius * 420, seed) * 0.45 + ripple(radius * 60, seed ^ 0x1234567) * 0.25;
  }
  return {
    at(radius) {
      const place = clamp01(radius / LONGEST) * steps;
      const step = Math.floor(place);
      return table[step]! + (table[step + 1]! - table[step]!) * (place - step);
    },
  };
}

function ripple(at: number, seed: number): number {
  const cell = Math.floor(at);
  const share = at - cell;
  const from = hashNoise(cell, 7, seed);
  return (from + (hashNoise(cell + 1, 7, seed) - from) * share) * 2 - 1;
}

/** Where the lamps stand: unit vectors in the frame. */
export interface Lamps {
  readonly keyX: number;
  readonly keyY: number;
  readonly fillX: number;
  readonly fillY: number;
}

export function drawLamps(random: Random): Lamps {
  const key = (-128 + (random.next() - 0.5) * 5) * (Math.PI / 180);
  const fill = key + 1.9;
  return { keyX: Math.cos(key), keyY: Math.sin(key), fillX: Math.cos(fill), fillY: Math.sin(fill) };
}

/**
 * Brightness of a turned face: its grooves throw the light into two pairs of fans, along the lamps' directions.
 * @param ux @param uy direction from the centre, in the frame.
 */
export function turnedFaceLight(lamps: Lamps, ux: number, uy: number): number {
  const key = ux * lamps.keyX + uy * lamps.keyY;
  const fill = ux * lamps.fillX + uy * lamps.fillY;
  const keySquared = key * key;
  const fillSquared = fill * fill;
  return 112 + 92 * keySquared * keySquared * keySquared + 46 * fillSquared * fillSquared * fillSquared * fillSquared;
}
