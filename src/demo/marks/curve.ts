import type { Box } from '../picture/scene.ts';

/** A line bent twice at most, as straight pieces: the path of a scratch or of a loose fibre. */
export interface Curve {
  readonly box: Box;
  /** Distance of a point from the curve; `alongAt` of the same call is where on the curve, 0 to 1. */
  measure(x: number, y: number): CurvePoint;
}

export interface CurvePoint {
  distance: number;
  /** Distance with a sign: positive on the right of the direction of travel. */
  side: number;
  along: number;
}

const PIECES = 16;

/** Cubic Bézier curve from four points [x, y]. */
export function createCurve(points: readonly (readonly [number, number])[]): Curve {
  const [a, b, c, d] = points;
  if (!a || !b || !c || !d) throw new RangeError(`a curve needs 4 points, got ${points.length}`);
  const xs = new Float64Array(PIECES + 1);
  const ys = new Float64Array(PIECES + 1);
  for (let piece = 0; piece <= PIECES; piece++) {
    const t = piece / PIECES;
    const s = 1 - t;
    xs[piece] = s * s * s * a[0] + 3 * s * s * t * b[0] + 3 * s * t * t * c[0] + t * t * t * d[0];
    ys[piece] = s * s * s * a[1] + 3 * s * s * t * b[1] + 3 * s * t * t * c[1] + t * t * t * d[1];
  }
  const nearest: CurvePoint = { distance: 0, side: 0, along: 0 };
  return {
    box: { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) },
    measure(x, y) {
      let least = Number.POSITIVE_INFINITY;
      for (let piece = 0; piece < PIECES; piece++) {
        const dx = xs[piece + 1]! - xs[piece]!;
        const dy = ys[piece + 1]! - ys[piece]!;
        const px = x - xs[piece]!;
        const py = y - ys[piece]!;
        const share = (px * dx + py * dy) / (dx * dx + dy * dy);
        const t = share < 0 ? 0 : share > 1 ? 1 : share;
        const ex = px - dx * t;
        const ey = py - dy * t;
        const squared = ex * ex + ey * ey;
        if (squared < least) {
          least = squared;
          nearest.along = (piece + t) / PIECES;
          nearest.side = dx * py - dy * px < 0 ? -1 : 1;
        }
      }
      nearest.distance = Math.sqrt(least);
      nearest.side *= nearest.distance;
      return nearest;
    },
  };
}
