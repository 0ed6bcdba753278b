import type { Affine, Rectangle } from '../types.ts';
import { applyAffine } from './affine.ts';

/** Area that two rectangles share, over the area that they cover together; 0 to 1. */
export function intersectionOverUnion(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin);
  const height = Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Rectangle): number => (box.xMax - box.xMin) * (box.yMax - box.yMin);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** The upright rectangle around the transformed corners. All else that the shape has stays. */
export function transformRectangle<Shape extends Rectangle>(shape: Shape, transform: Affine): Shape {
  const { xMin, yMin, xMax, yMax } = shape;
  const corners = [xMin, xMax].flatMap((x) => [yMin, yMax].map((y) => applyAffine(transform, x, y)));
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { ...shape, xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys) };
}
