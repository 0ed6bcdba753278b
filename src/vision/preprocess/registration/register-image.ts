import type { Affine, RgbImage } from '../../types.ts';
import { buildContrastPyramid, type ContrastPyramid, finestCells, type Plane } from './contrast-pyramid.ts';
import { findLandmarks, type Landmarks, refineRegistration, searchCoarse } from './match-landmarks.ts';
import { type Similarity, toPixels } from './similarity.ts';

/** Largest shift, a share of the longer side; largest turn, degrees either way. */
type RegistrationLimits = Readonly<Record<'shift' | 'degrees', number>>;

export interface Registration {
  /** From coordinates of the reference to coordinates of the image. */
  readonly toImage: Affine;
  /** Shift of the image's middle against the reference, along the side where it is larger; a share of the longer side. */
  readonly shift: number;
  /** Turn of the image against the reference, degrees, clockwise. */
  readonly degrees: number;
  /** Size of the product in the image over its size in the reference, both images at the same size. */
  readonly scale: number;
  /** Normalised cross-correlation of local contrast after registration, -1 to 1. */
  readonly correlation: number;
  /** No match, or a match beyond the limit of shift, rotation or scale; absent: the registration can be used. */
  readonly fault?: 'no_match' | 'shift' | 'rotation' | 'scale' | undefined;
}

/** Landmarks on the three planes, from fine to coarse. */
const LANDMARKS = [8000, 3000, 400] as const;
const ITERATIONS = [8, 10, 12] as const;
/** Unrelated products stay below 0.2, cloth that fits its own weave below 0.4, the same product is above 0.65. */
const LEAST_CORRELATION = 0.5;
/** A camera's distance may vary by this much; more is a wrong fit. */
export const MOST_SCALE = 0.08;
/** Below this correlation a wider search follows: a part with six holes fits one hole further with 0.77. */
const SURE_CORRELATION = 0.8;
const CLEARLY_BETTER = 0.05;
/** How much further the wider search looks, and by how many landmarks. */
const WIDER = { shift: 0.1, degrees: 15, landmarks: 100 };
/** How exact a registration is: half a cell of the finest plane, and the turn that moves a product's end by as much. */
const TOLERANCE = { shift: 0.002, degrees: 0.2 };

/**
 * Finds turn, shift and small change of scale between a reference and other pictures of the same product: every coarse
 * place is tried, the best one refined on planes of 64, 128 and 256 cells. Lighting and defects hardly matter.
 * @param usable [height · width] of the reference; cells with 0 are not compared.
 * @returns the reference, prepared once for many images. Where it `hasStructure` for a match, `register` can find one.
 */
export function createRegistrar(reference: RgbImage, limits: RegistrationLimits, usable?: Uint8Array) {
  const pyramid = buildContrastPyramid(reference);
  const [finePlane, middlePlane, coarsePlane] = pyramid.levels;
  const landmarksOf = (plane: Plane, count: number): Landmarks =>
    findLandmarks(plane, count, usable && usableCells(usable, reference, pyramid, plane));
  const fine = landmarksOf(finePlane, LANDMARKS[0]);
  const middle = landmarksOf(middlePlane, LANDMARKS[1]);
  const coarse = landmarksOf(coarsePlane, LANDMARKS[2]);
  const few = landmarksOf(coarsePlane, WIDER.landmarks);
  const wider = { shift: limits.shift + WIDER.shift, degrees: limits.degrees + WIDER.degrees };

  function match(moving: ContrastPyramid, landmarks: Landmarks, range: RegistrationLimits): Registration {
    const shift = range.shift * Math.max(coarsePlane.columns, coarsePlane.rows);
    const [movingFine, movingMiddle, movingCoarse] = moving.levels;
    const found = searchCoarse(landmarks, coarsePlane, movingCoarse, { shift, degrees: range.degrees });
    const rough = refineRegistration(coarse, coarsePlane, movingCoarse, found, ITERATIONS[2]);
    const closer = refineRegistration(middle, middlePlane, movingMiddle, onFinerPlane(rough.map), ITERATIONS[1]);
    const { map } = refineRegistration(fine, finePlane, movingFine, onFinerPlane(closer.map), ITERATIONS[0]);
    const measured = {
      toImage: toPixels(map, frameOf(pyramid), frameOf(moving)),
      shift: Math.max(Math.abs(map.x), Math.abs(map.y)) / Math.max(finePlane.columns, finePlane.rows),
      degrees: (Math.atan2(map.im, map.re) * 180) / Math.PI,
      scale: Math.sqrt(map.re * map.re + map.im * map.im),
      correlation: closer.correlation,
    };
    return { ...measured, fault: findFault(measured, limits) };
  }

  return {
    hasStructure: middle.count > 0,
    register(image: RgbImage): Registration {
      const moving = buildContrastPyramid(image, finestCells(reference));
      const found = match(moving, coarse, limits);
      if (!found.fault && found.correlation >= SURE_CORRELATION) return found;
      const second = match(moving, few, wider);
      return second.correlation > found.correlation + CLEARLY_BETTER ? second : found;
    },
  };
}

function findFault(found: Registration, limits: RegistrationLimits): Registration['fault'] {
  if (!(found.correlation >= LEAST_CORRELATION)) return 'no_match';
  if (found.shift > limits.shift + TOLERANCE.shift) return 'shift';
  if (Math.abs(found.degrees) > limits.degrees + TOLERANCE.degrees) return 'rotation';
  return Math.abs(found.scale - 1) > MOST_SCALE ? 'scale' : undefined;
}

/** The same map where cells are half as large. */
const onFinerPlane = (map: Similarity): Similarity => ({ ...map, x: map.x * 2, y: map.y * 2 });

const frameOf = ({ cell, levels }: ContrastPyramid) => ({ cell, columns: levels[0].columns, rows: levels[0].rows });

/** The mask's value under the middle of each cell of a plane. */
function usableCells(usable: Uint8Array, image: RgbImage, pyramid: ContrastPyramid, plane: Plane): Uint8Array {
  const cell = (pyramid.cell * pyramid.levels[0].columns) / plane.columns;
  const out = new Uint8Array(plane.columns * plane.rows);
  for (let row = 0; row < plane.rows; row++) {
    const from = Math.min(image.height - 1, Math.floor((row + 0.5) * cell)) * image.width;
    for (let column = 0; column < plane.columns; column++) {
      out[row * plane.columns + column] = usable[from + Math.min(image.width - 1, Math.floor((column + 0.5) * cell))]!;
    }
  }
  return out;
}
