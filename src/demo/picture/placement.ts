import type { Random } from '../../vision/types.ts';
import type { Box, Move } from './scene.ts';

/** Where a product lies in the frame. `toX`, `toY` lead from the frame to the product's own coordinates. */
export interface Placement {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly cos: number;
  readonly sin: number;
  readonly scale: number;
}

/** A part on a fixture: within ± 0.6 % and ± 1.2° of its usual place, its distance from the camera within ± 0.5 %. */
export function drawPlacement(random: Random, move: Move): Placement {
  const wobble = (): number => random.next() * 2 - 1;
  const angle = (move.degrees + wobble() * 1.2) * (Math.PI / 180);
  return {
    shiftX: move.x + wobble() * 0.006,
    shiftY: move.y + wobble() * 0.006,
    cos: Math.cos(angle),
    sin: Math.sin(angle),
    scale: 1 + wobble() * 0.005,
  };
}

export function toProductX(at: Placement, x: number, y: number): number {
  return ((x - at.shiftX) * at.cos + (y - at.shiftY) * at.sin) / at.scale;
}

export function toProductY(at: Placement, x: number, y: number): number {
  return ((y - at.shiftY) * at.cos - (x - at.shiftX) * at.sin) / at.scale;
}

/** The frame's box that holds a box of product coordinates. */
export function boxInFrame(at: Placement, box: Box): Box {
  const corners = [
    [box.left, box.top],
    [box.right, box.top],
    [box.left, box.bottom],
    [box.right, box.bottom],
  ].map(([x, y]) => [
    at.shiftX + at.scale * ((x ?? 0) * at.cos - (y ?? 0) * at.sin),
    at.shiftY + at.scale * ((x ?? 0) * at.sin + (y ?? 0) * at.cos),
  ]);
  const xs = corners.map((corner) => corner[0] ?? 0);
  const ys = corners.map((corner) => corner[1] ?? 0);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
