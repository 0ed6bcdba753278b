import type { Point, Size } from '../viewer/geometry.ts';
import type { StepConfig } from './draft-steps.ts';

/** Corners [x, y], in the unit of the step. */
export type Polygon = readonly (readonly [number, number])[];
export type Unit = 'percent' | 'pixel';

export const unitOf = (config: StepConfig): Unit => (config['unit'] === 'pixel' ? 'pixel' : 'percent');

export const roundHundredth = (value: number): number => Math.round(value * 100) / 100;

/** From pixels of the image before the step to the unit of its config; never outside the image. */
export function toUnit({ x, y }: Point, unit: Unit, image: Size): [number, number] {
  const inside = [Math.max(0, Math.min(image.width, x)), Math.max(0, Math.min(image.height, y))] as const;
  if (unit === 'pixel') return [Math.round(inside[0]), Math.round(inside[1])];
  return [roundHundredth((100 * inside[0]) / image.width), roundHundredth((100 * inside[1]) / image.height)];
}

export function toPixels([x, y]: readonly [number, number], unit: Unit, image: Size): Point {
  return unit === 'pixel' ? { x, y } : { x: (x * image.width) / 100, y: (y * image.height) / 100 };
}

export function replaceCorner(
  polygons: readonly Polygon[],
  polygonIndex: number,
  cornerIndex: number,
  corner: readonly [number, number],
): Polygon[] {
  return polygons.map((polygon, index) =>
    index === polygonIndex ? polygon.map((one, at) => (at === cornerIndex ? corner : one)) : polygon,
  );
}
