import type { ScoreMap } from '../types.ts';

interface Tap {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

/** For each target cell the two source cells around its centre and the share of the second. */
function taps(from: number, to: number): Tap[] {
  return Array.from({ length: to }, (_, index) => {
    const position = Math.min(Math.max(((index + 0.5) * from) / to - 0.5, 0), from - 1);
    const low = Math.floor(position);
    return { low, high: Math.min(low + 1, from - 1), share: position - low };
  });
}

/** Bilinear resampling between cell centres, constant beyond the outermost centres. */
export function resizeMap(map: ScoreMap, rows: number, columns: number): ScoreMap {
  const data = new Float32Array(rows * columns);
  const across = taps(map.columns, columns);
  taps(map.rows, rows).forEach((down, row) => {
    const upper = down.low * map.columns;
    const lower = down.high * map.columns;
    for (let column = 0; column < columns; column++) {
      const { low, high, share } = across[column]!;
      const top = map.data[upper + low]! * (1 - share) + map.data[upper + high]! * share;
      const bottom = map.data[lower + low]! * (1 - share) + map.data[lower + high]! * share;
      data[row * columns + column] = top * (1 - down.share) + bottom * down.share;
    }
  });
  return { rows, columns, data };
}
