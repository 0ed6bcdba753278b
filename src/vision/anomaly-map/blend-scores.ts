import { type ResizeTaps, resizeTaps } from '../math/resize-map.ts';
import type { OwnedImage } from '../types.ts';
import { FIRST_COLOURED, SCORE_BLENDS, UNCOLOURED } from './score-colours.ts';
import type { ScoreLayer } from './score-layer.ts';

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

/** For each pixel of a line the two cells of the layer around it, and the share × 256 of the second. */
interface Taps extends Pick<ResizeTaps, 'low' | 'high'> {
  readonly shares: Int32Array;
}

/** Everything is counted in whole numbers: scores × 256 by shares × 256. */
function wholeTaps(from: number, to: number): Taps {
  const { low, high, share } = resizeTaps(from, to);
  const shares = new Int32Array(to);
  for (let index = 0; index < to; index++) shares[index] = Math.round(share[index]! * 256);
  return { low, high, shares };
}

/** For each column of the layer the first pixel that it has a part in, and behind the last column the width. */
function firstPixels({ high }: Taps, columns: number): Int32Array {
  const first = new Int32Array(columns + 1).fill(high.length);
  for (let pixel = high.length - 1; pixel >= 0; pixel--) first[high[pixel]!] = pixel;
  for (let column = columns - 1; column >= 0; column--) first[column] = Math.min(first[column]!, first[column + 1]!);
  return first;
}

/** Pixels of a row of the layer that is stretched to the picture's width, scores × 256. */
function stretchRow(
  { width, data }: ScoreLayer,
  row: number,
  { low, high, shares }: Taps,
  line: Int32Array,
  [from, to]: readonly [number, number],
): void {
  const start = row * width;
  for (let x = from; x < to; x++) {
    const left = data[start + low[x]!]!;
    line[x] = left * 256 + (data[start + high[x]!]! - left) * shares[x]!;
  }
}

/** Two rows of a layer at the picture's width, scores × 256, and the share × 256 of the lower one. */
interface Lines {
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  readonly share: number;
}

function blendLine(
  data: Uint8Array,
  start: number,
  { upper, lower, share }: Lines,
  [from, to]: readonly [number, number],
): void {
  for (let x = from; x < to; x++) {
    const blend = ((upper[x]! * (256 - share) + lower[x]! * share + 32768) >> 16) * 4;
    const under = SCORE_BLENDS[blend]!;
    if (under === UNCOLOURED) continue;
    const at = start + x * 3;
    data[at] = (data[at]! * under + SCORE_BLENDS[blend + 1]!) >> 16;
    data[at + 1] = (data[at + 1]! * under + SCORE_BLENDS[blend + 2]!) >> 16;
    data[at + 2] = (data[at + 2]! * under + SCORE_BLENDS[blend + 3]!) >> 16;
  }
}

/**
 * Lays the colours of the scores over the picture, in place; scores are stretched bilinearly to its pixels. Parts
 * without a coloured score are not looked at, so that the time goes with the area of what is found.
 */
export function blendScores(picture: OwnedImage, layer: ScoreLayer): void {
  const { width, height, data } = picture;
  const columns = wholeTaps(layer.width, width);
  const rows = wholeTaps(layer.height, height);
  const first = firstPixels(columns, layer.width);
  const [upper, lower] = [new Int32Array(width), new Int32Array(width)];
  let above = -1;
  let span: readonly [number, number] | undefined;
  for (let y = 0; y < height; y++) {
    const [row, other] = [rows.low[y]!, rows.high[y]!];
    if (row !== above) {
      above = row;
      const coloured = colouredSpan(layer, row, other);
      span = coloured && [first[coloured[0]]!, first[Math.min(coloured[1] + 2, layer.width)]!];
      if (span) {
        stretchRow(layer, row, columns, upper, span);
        stretchRow(layer, other, columns, lower, span);
      }
    }
    if (span) blendLine(data, y * width * 3, { upper, lower, share: rows.shares[y]! }, span);
  }
}
