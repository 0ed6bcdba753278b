import type { Random } from '../../vision/types.ts';
import { hashNoise, valueNoise } from '../picture/noise.ts';
import type { Placement } from '../picture/placement.ts';
import type { Rgb } from '../picture/scene.ts';

/** Threads along the shorter side of the picture. */
export const THREADS = 46;

/** One sample of cloth. Coordinates of the cloth are in threads: warp threads run along v, weft threads along u. */
export interface Cloth {
  readonly at: Placement;
  /** Where in the roll the picture was taken, in whole repeats, and a fine part. */
  readonly phaseU: number;
  readonly phaseV: number;
  readonly seed: number;
  readonly dye: number;
  readonly pixel: number;
}

export interface ThreadPlace {
  /** Number of the warp and of the weft thread. */
  warp: number;
  weft: number;
  /** Place across the warp thread and across the weft thread, -0.5 to 0.5. */
  acrossWarp: number;
  acrossWeft: number;
}

/** Cloth is drawn at a random place of the roll. */
export function drawCloth(random: Random, at: Placement, pixel: number): Cloth {
  return {
    at,
    phaseU: random.next() * 6,
    phaseV: random.next() * 6,
    seed: random.integer(2 ** 32) | 0,
    dye: 0.96 + random.next() * 0.08,
    pixel,
  };
}

export function toThreads(cloth: Cloth, productX: number, productY: number, place: ThreadPlace): void {
  const u = productX * THREADS + 200 + cloth.phaseU;
  const v = productY * THREADS + 200 + cloth.phaseV;
  // Threads wander: slowly over many neighbours, and each by itself.
  const bent = u + (valueNoise(u * 0.09, v * 0.12, cloth.seed) - 0.5) * 0.7;
  const risen = v + (valueNoise(u * 0.12, v * 0.09, cloth.seed ^ 0x2545f49) - 0.5) * 0.7;
  place.warp = Math.floor(bent);
  place.weft = Math.floor(risen);
  place.acrossWarp = bent - place.warp - 0.5 + (valueNoise(place.warp * 7.1, v * 0.35, cloth.seed ^ 5) - 0.5) * 0.12;
  place.acrossWeft = risen - place.weft - 0.5 + (valueNoise(u * 0.35, place.weft * 7.1, cloth.seed ^ 6) - 0.5) * 0.12;
}

/** Two-over-one twill: true where the warp thread lies on top. */
export function warpOnTop(warp: number, weft: number): boolean {
  return (((warp + weft) % 3) + 3) % 3 !== 0;
}

/**
 * Colour of a warp thread (indigo).
 * @param float how far along its way over the weft, 0 to 1.
 */
export function shadeWarp(cloth: Cloth, place: ThreadPlace, float: number, out: Rgb): void {
  const tone = 0.86 + 0.26 * hashNoise(place.warp, 11, cloth.seed);
  const light =
    threadLight(cloth, place.acrossWarp, place.acrossWeft + place.weft, place.warp, float) * tone * cloth.dye;
  out[0] = 58 * light;
  out[1] = 86 * light;
  out[2] = 138 * light;
}

/** Colour of a weft thread (undyed cotton). */
export function shadeWeft(cloth: Cloth, place: ThreadPlace, float: number, out: Rgb): void {
  const tone = 0.9 + 0.16 * hashNoise(place.weft, 12, cloth.seed);
  const light = threadLight(cloth, place.acrossWeft, place.acrossWarp + place.warp, place.weft + 5000, float) * tone;
  out[0] = 196 * light;
  out[1] = 190 * light;
  out[2] = 172 * light;
}

/** Where a thread is on its way over the other: 0 and 1 are the ends, where it dives under. */
export function warpFloat(place: ThreadPlace): number {
  const sum = (((place.warp + place.weft) % 3) + 3) % 3;
  return (sum - 1 + place.acrossWeft + 0.5) / 2;
}

/** Roundness of the thread, its arch over the other one, its twist and its fibres. */
function threadLight(cloth: Cloth, across: number, along: number, thread: number, float: number): number {
  const round = 1 - 2.6 * across * across;
  const arch = 0.66 + 0.42 * Math.sin(Math.PI * Math.min(1, Math.max(0, float)));
  const twist = 0.07 * Math.sin((along * 2.3 + across * 2.6) * 2 * Math.PI);
  const fibre = (valueNoise(along * 3.2, across * 14 + thread * 31, cloth.seed ^ 77) - 0.5) * 0.26;
  return Math.max(0.08, round * arch * (1 + twist + fibre) + 0.1);
}

/** Colour of the plain cloth at a place. */
export function shadeCloth(cloth: Cloth, place: ThreadPlace, out: Rgb): void {
  if (warpOnTop(place.warp, place.weft)) shadeWarp(cloth, place, warpFloat(place), out);
  else shadeWeft(cloth, place, place.acrossWarp + 0.5, out);
}
