import type { Plane } from './contrast-pyramid.ts';

/** The cells of a plane with the steepest slopes: they show a movement best. All arrays are [count]. */
export interface Landmarks {
  readonly count: number;
  readonly columns: Int32Array;
  readonly rows: Int32Array;
  readonly values: Float32Array;
  readonly slopesX: Float32Array;
  readonly slopesY: Float32Array;
}

/** At most `limit` cells, in reading order. Cells where `usable` is 0 are not used. */
export function findLandmarks(plane: Plane, limit: number, usable?: Uint8Array): Landmarks {
  const { columns, rows, data } = plane;
  const steepness = new Float32Array(columns * rows);
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      if (usable && !usable[at]) continue;
      const x = slopeX(plane, at);
      const y = slopeY(plane, at);
      steepness[at] = x * x + y * y;
    }
  }
  const sorted = steepness.slice().sort();
  const least = Math.max(sorted[Math.max(0, sorted.length - limit)] ?? 0, 1e-6);
  const chosen: number[] = [];
  for (let at = 0; at < data.length && chosen.length < limit; at++) if (steepness[at]! >= least) chosen.push(at);
  return {
    count: chosen.length,
    columns: Int32Array.from(chosen, (at) => at % columns),
    rows: Int32Array.from(chosen, (at) => Math.floor(at / columns)),
    values: Float32Array.from(chosen, (at) => data[at]!),
    slopesX: Float32Array.from(chosen, (at) => slopeX(plane, at)),
    slopesY: Float32Array.from(chosen, (at) => slopeY(plane, at)),
  };
}

function slopeX({ data }: Plane, at: number): number {
  return (data[at + 1]! - data[at - 1]!) / 2;
}

function slopeY({ columns, data }: Plane, at: number): number {
  return (data[at + columns]! - data[at - columns]!) / 2;
}
