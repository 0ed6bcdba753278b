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

/** `map` after the inverse of the small step (1 + re)·z + …: the update of inverse-compositional alignment. */
export function afterInverseOf(map: Similarity, step: Similarity): Similarity {
  const stepRe = 1 + step.re;
  const size = stepRe * stepRe + step.im * step.im;
  const re = (map.re * stepRe + map.im * step.im) / size;
  const im = (map.im * stepRe - map.re * step.im) / size;
  return { re, im, x: map.x - (re * step.x - im * step.y), y: map.y - (re * step.y + im * step.x) };
}

/** A plane over an image. `cell` is the side of a cell in pixels. */
type Frame = Readonly<Record<'cell' | 'columns' | 'rows', number>>;

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
