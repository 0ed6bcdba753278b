import type { Random } from '../../vision/types.ts';
import type { Placement } from './placement.ts';

/**
 * Frame units: the centre of the picture is (0, 0), x to the right, y down, the shorter side is 1 long. A product looks
 * the same at every size of picture.
 */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Three channels, 0 to 255, not yet rounded. */
export type Rgb = Float64Array;

export interface Scene {
  /** Writes the colour at a point given in frame units. */
  shade(x: number, y: number, out: Rgb): void;
}

/** A scene with something wrong in it. Outside of `box` it is the same as without. */
export interface DefectScene extends Scene {
  readonly box: Box;
}

export interface View {
  readonly width: number;
  readonly height: number;
  /** Side of a pixel in frame units. */
  readonly pixel: number;
}

/** How far the product lies from its usual place: a share of the shorter side, and degrees, clockwise. */
export interface Move {
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
}

/** One sample of a product: its own variation is fixed, defects can be put on it. */
export interface SampleScenes {
  readonly placement: Placement;
  readonly clean: Scene;
  withDefect(kind: string, random: Random): DefectScene;
}

export interface ProductModel {
  readonly id: string;
  readonly name: string;
  readonly defects: readonly string[];
  /** Draws this sample's variation from `random`. */
  build(random: Random, view: View, move: Move): SampleScenes;
}

export function createView(width: number, height: number): View {
  return { width, height, pixel: 1 / Math.min(width, height) };
}

/** How much of a pixel lies inside an outline: `distance` is signed, negative inside, in the same units as `pixel`. */
export function coverage(distance: number, pixel: number): number {
  const share = 0.5 - distance / pixel;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/** Paints a colour over what is there. */
export function paint(out: Rgb, red: number, green: number, blue: number, share: number): void {
  out[0]! += (red - out[0]!) * share;
  out[1]! += (green - out[1]!) * share;
  out[2]! += (blue - out[2]!) * share;
}

/** Makes what is there brighter or darker. */
export function scale(out: Rgb, factor: number): void {
  out[0]! *= factor;
  out[1]! *= factor;
  out[2]! *= factor;
}
