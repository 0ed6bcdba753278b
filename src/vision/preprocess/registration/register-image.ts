import type { Affine, RgbImage } from '../../types.ts';
import { searchCoarse } from './coarse-search.ts';
import { buildContrastPyramid, type ContrastPyramid, finestCells, type Plane } from './contrast-pyramid.ts';
import { findLandmarks, type Landmarks } from './landmarks.ts';
import { refineRegistration } from './refine-registration.ts';
import { degreesOf, onFinerPlane, type Similarity, scaleOf, toPixels } from './similarity.ts';

export interface RegistrationLimits {
  /** Largest shift, a share of the longer side. */
  readonly shift: number;
  /** Largest turn, degrees either way. */
  readonly degrees: number;
}

export interface Registration {
  /** From coordinates of the reference to coordinates of the image. */
  readonly toImage: Affine;
  /** Turn of the image against the reference, degrees, clockwise. */
  readonly degrees: number;
  /** Normalised cross-correlation of local contrast after registration, -1 to 1. */
  readonly correlation: number;
  /** Whether the correlation is high enough and the move within the limits. */
  readonly trusted: boolean;
}

/** A reference, prepared once for many images. */
export interface Registrar {
  /** Whether the reference has any structure to be found by; without, nothing is ever trusted. */
  readonly hasStructure: boolean;
  register(image: RgbImage): Registration;
}

/** Landmarks on the three planes, from fine to coarse. */
const LANDMARKS = [8000, 3000, 400] as const;
const ITERATIONS = [8, 10, 12] as const;
/** Unrelated products stay below 0.2, cloth that fits its own weave below 0.4, the same product is above 0.65. */
const LEAST_CORRELATION = 0.5;
/** A camera's distance may vary by this much; more is a wrong fit. */
const MOST_SCALE = 0.08;

/**
 * Finds turn, shift and small change of scale between a reference and other pictures of the same product: every coarse
 * place is tried, the best one refined on planes of 64, 128 and 256 cells. Lighting and defects hardly matter.
 * @param usable [height · width] of the reference; cells with 0 are not compared.
 */
export function createRegistrar(reference: RgbImage, limits: RegistrationLimits, usable?: Uint8Array): Registrar {
  const pyramid = buildContrastPyramid(reference);
  const landmarks = pyramid.levels.map((plane, level) =>
    findLandmarks(plane, LANDMARKS[level] ?? 0, usable && usableCells(usable, reference, pyramid, plane)),
  );
  const [fine, middle, coarse] = landmarks as [Landmarks, Landmarks, Landmarks];
  const [finePlane, middlePlane, coarsePlane] = pyramid.levels;

  return {
    hasStructure: middle.count > 0,
    register(image) {
      const moving = buildContrastPyramid(image, finestCells(reference));
      const side = Math.max(coarsePlane.columns, coarsePlane.rows);
      const range = { shift: limits.shift * side, degrees: limits.degrees };
      const found = searchCoarse(coarse, coarsePlane, moving.levels[2], range);
      const rough = refineRegistration(coarse, coarsePlane, moving.levels[2], found, ITERATIONS[2]);
      const closer = refineRegistration(middle, middlePlane, moving.levels[1], onFinerPlane(rough.map), ITERATIONS[1]);
      const last = refineRegistration(fine, finePlane, moving.levels[0], onFinerPlane(closer.map), ITERATIONS[0]);
      return {
        toImage: toPixels(last.map, frameOf(pyramid), frameOf(moving)),
        degrees: degreesOf(last.map),
        correlation: closer.correlation,
        trusted: closer.correlation >= LEAST_CORRELATION && within(last.map, limits, finePlane),
      };
    },
  };
}

function frameOf({ cell, levels }: ContrastPyramid): { cell: number; columns: number; rows: number } {
  return { cell, columns: levels[0].columns, rows: levels[0].rows };
}

/** A tenth of room beyond the limits, for the refinement. */
function within(map: Similarity, limits: RegistrationLimits, plane: Plane): boolean {
  const side = Math.max(plane.columns, plane.rows);
  const farthest = Math.max(Math.abs(map.x), Math.abs(map.y)) / side;
  return (
    farthest <= limits.shift * 1.1 + 0.01 &&
    Math.abs(degreesOf(map)) <= limits.degrees * 1.1 + 1 &&
    Math.abs(scaleOf(map) - 1) <= MOST_SCALE
  );
}

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
