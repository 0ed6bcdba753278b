import { type ResizeTaps, resizeTaps } from '../math/resize-map.ts';
import type { RgbImage } from '../types.ts';
import { FIRST_COLOURED, SCORE_COLOURS } from './score-colours.ts';

/** Anomaly scores × 255 over a picture, coarser than it. `data` is [height · width]. */
export interface ScoreLayer {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** First and last column in which either row of the layer is coloured; undefined: none. */
function colouredSpan({ width, data }: ScoreLayer, row: number, other: number): readonly [number, number] | undefined {
  let [first, last] = [width, -1];
  for (let column = 0; column < width; column++)
    if (data[row * width + column]! >= FIRST_COLOURED || data[other * width + column]! >= FIRST_COLOURED) {
      if (last < 0) first = column;
      last = column;
    }
  return last < 0 ? undefined : [first, last];
}

/** For each column of the layer the first pixel that it has a part in, and behind the last column the width. */
function firstPixels({ high }: ResizeTaps, columns: number): Int32Array {
  const first = new Int32Array(columns + 1).fill(high.length);
  for (let pixel = high.length - 1; pixel >= 0; pixel--) first[high[pixel]!] = pixel;
  for (let column = columns - 1; column >= 0; column--) first[column] = Math.min(first[column]!, first[column + 1]!);
  return first;
}

/** A row of the layer stretched to the picture's width, scores × 256. */
function stretchRow(
  { width, data }: ScoreLayer,
  row: number,
  { low, high, share }: ResizeTaps,
  line: Int32Array,
): void {
  const start = row * width;
  for (let x = 0; x < line.length; x++) {
    const left = data[start + low[x]!]!;
    line[x] = left * 256 + Math.round((data[start + high[x]!]! - left) * 256 * share[x]!);
  }
}

/**
 * Lays the colours of the scores over the picture, in place; scores are stretched bilinearly to its pixels. Parts
 * without a coloured score are not looked at, so that the time goes with the area of what is found.
 */
export function blendScores(picture: RgbImage, layer: ScoreLayer): void {
  const { width, height, data } = picture;
  const across = resizeTaps(layer.width, width);
  const down = resizeTaps(layer.height, height);
  const first = firstPixels(across, layer.width);
  const [upper, lower] = [new Int32Array(width), new Int32Array(width)];
  let stretched = -1;
  for (let y = 0; y < height; y++) {
    const row = down.low[y]!;
    const span = colouredSpan(layer, row, down.high[y]!);
    if (!span) continue;
    if (stretched !== row) {
      stretchRow(layer, row, across, upper);
      stretchRow(layer, down.high[y]!, across, lower);
      stretched = row;
    }
    // Whole numbers throughout: scores × 256 by shares × 256.
    const share = Math.round(down.share[y]! * 256);
    const end = first[Math.min(span[1] + 2, layer.width)]!;
    for (let x = first[span[0]]!; x < end; x++) {
      const colour = ((upper[x]! * (256 - share) + lower[x]! * share + 32768) >> 16) * 4;
      const alpha = SCORE_COLOURS[colour + 3]!;
      if (alpha === 0) continue;
      const at = (y * width + x) * 3;
      const rest = 255 - alpha;
      // (n · 257 + 257) >> 16 is n / 255 without a division.
      data[at] = ((data[at]! * rest + SCORE_COLOURS[colour]! * alpha) * 257 + 257) >> 16;
      data[at + 1] = ((data[at + 1]! * rest + SCORE_COLOURS[colour + 1]! * alpha) * 257 + 257) >> 16;
      data[at + 2] = ((data[at + 2]! * rest + SCORE_COLOURS[colour + 2]! * alpha) * 257 + 257) >> 16;
    }
  }
}
