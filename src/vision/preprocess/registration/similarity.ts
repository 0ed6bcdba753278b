import type { Affine } from '../../types.ts';

/**
 * A turn, a scale and a shift about the middle of a plane: z ↦ (re + i·im)·z + (x + i·y), z counted from the middles of
 * the two planes, in cells.
 */
export interface Similarity {
  readonly re: number;
  readonly im: number;
  readonly x: number;
  readonly y: number;
}

export function similarityFrom(degrees: number, x: number, y: number): Similarity {
  const radians = (degrees * Math.PI) / 180;
  return { re: Math.cos(radians), im: Math.sin(radians), x, y };
}

export function degreesOf(map: Similarity): number {
  return (Math.atan2(map.im, map.re) * 180) / Math.PI;
}

export function scaleOf(map: Similarity): number {
  return Math.sqrt(map.re * map.re + map.im * map.im);
}

/** The same map where cells are half as large. */
export function onFinerPlane(map: Similarity): Similarity {
  return { ...map, x: map.x * 2, y: map.y * 2 };
}

/** `map` after the inverse of the small step (1 + re)·z + …: the update of inverse-compositional alignment. */
export function afterInverseOf(map: Similarity, step: Similarity): Similarity {
  const re = 1 + step.re;
  const im = step.im;
  const size = re * re + im * im;
  const newRe = (map.re * re + map.im * im) / size;
  const newIm = (map.im * re - map.re * im) / size;
  return {
    re: newRe,
    im: newIm,
    x: map.x - (newRe * step.x - newIm * step.y),
    y: map.y - (newRe * step.y + newIm * step.x),
  };
}

interface Frame {
  /** Side of a cell in pixels. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

/** The map in pixels, from coordinates of the image behind `from` to those of the image behind `to`. */
export function toPixels(map: Similarity, from: Frame, to: Frame): Affine {
  const ratio = to.cell / from.cell;
  const a = map.re * ratio;
  const d = map.im * ratio;
  const middleX = (from.cell * from.columns) / 2;
  const middleY = (from.cell * from.rows) / 2;
  return {
    a,
    b: -d,
    c: to.cell * (to.columns / 2 + map.x) - a * middleX + d * middleY,
    d,
    e: a,
    f: to.cell * (to.rows / 2 + map.y) - d * middleX - a * middleY,
  };
}
