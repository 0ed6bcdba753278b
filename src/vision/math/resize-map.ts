import type { ScoreMap } from '../types.ts';

/** For each target cell the two source cells around its centre and the share of the second. */
export interface ResizeTaps {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly share: Float64Array;
}

/** Taps of a bilinear resampling of `from` cells to `to`. */
export function resizeTaps(from: number, to: number): ResizeTaps {
  const taps = { low: new Int32Array(to), high: new Int32Array(to), share: new Float64Array(to) };
  for (let index = 0; index < to; index++) {
    const position = Math.min(Math.max(((index + 0.5) * from) / to - 0.5, 0), from - 1);
    const low = Math.floor(position);
    taps.low[index] = low;
    taps.high[index] = Math.min(low + 1, from - 1);
    taps.share[index] = position - low;
  }
  return taps;
}

/** A line of `from` cells at the places of the taps. */
function stretchLine(data: Float32Array, start: number, { low, high, share }: ResizeTaps, line: Float64Array): void {
  for (let at = 0; at < line.length; at++) {
    const part = share[at]!;
    line[at] = data[start + low[at]!]! * (1 - part) + data[start + high[at]!]! * part;
  }
}

/** Bilinear resampling between cell centres, constant beyond the outermost centres. */
export function resizeMap(map: ScoreMap, rows: number, columns: number): ScoreMap {
  const data = new Float32Array(rows * columns);
  const across = resizeTaps(map.columns, columns);
  const down = resizeTaps(map.rows, rows);
  // Double precision: a cell that is met exactly keeps its value, whatever the order of the sums.
  const [upper, lower] = [new Float64Array(columns), new Float64Array(columns)];
  for (let row = 0, at = 0; row < rows; row++) {
    if (row === 0 || down.low[row] !== down.low[row - 1]) {
      stretchLine(map.data, down.low[row]! * map.columns, across, upper);
      stretchLine(map.data, down.high[row]! * map.columns, across, lower);
    }
    const share = down.share[row]!;
    const rest = 1 - share;
    for (let column = 0; column < columns; column++) data[at++] = upper[column]! * rest + lower[column]! * share;
  }
  return { rows, columns, data };
}
