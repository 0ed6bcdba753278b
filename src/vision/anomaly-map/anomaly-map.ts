import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { resizeImage, sharpImage } from '../image/resize-image.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import { resizeMap } from '../math/resize-map.ts';
import type { OwnedImage, Picture, PreparedImage, RgbImage, ScoreMap } from '../types.ts';
import type { InspectedMap } from './inspected-map.ts';

/** Longer side of a heatmap in pixels, at most. */
const LONGEST_HEATMAP = 768;
/** Longer side of an anomaly map. It is smooth, so it may be stretched over a heatmap. */
const LONGEST_MAP = 128;

/** Anomaly scores × 255 in the place of the original image, coarser than it. `data` is [height · width]. */
export interface AnomalyMap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the heatmap of an image: reduced by a whole number to 768 pixels or less. */
export function heatmapSize({ width, height }: Size): Size {
  const reduction = Math.ceil(Math.max(width, height) / LONGEST_HEATMAP);
  return { width: Math.max(1, Math.round(width / reduction)), height: Math.max(1, Math.round(height / reduction)) };
}

function mapSize(original: Size): Size {
  const { width, height } = heatmapSize(original);
  const scale = Math.min(1, LONGEST_MAP / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Raw score at a place of the prepared image, bilinear between cell centres. @param x, y shares of the sides, 0 to 1 */
export function rawScoreAt({ rows, columns, data }: ScoreMap, x: number, y: number): number {
  const column = Math.min(Math.max(x * columns - 0.5, 0), columns - 1);
  const row = Math.min(Math.max(y * rows - 0.5, 0), rows - 1);
  const left = Math.floor(column);
  const above = Math.floor(row);
  const right = Math.min(left + 1, columns - 1);
  const below = Math.min(above + 1, rows - 1);
  const dx = column - left;
  const dy = row - above;
  const upper = data[above * columns + left]! * (1 - dx) + data[above * columns + right]! * dx;
  const lower = data[below * columns + left]! * (1 - dx) + data[below * columns + right]! * dx;
  return upper * (1 - dy) + lower * dy;
}

function isInspected({ map, inspected }: InspectedMap, x: number, y: number): boolean {
  const row = Math.min(Math.floor(y * map.rows), map.rows - 1);
  const column = Math.min(Math.floor(x * map.columns), map.columns - 1);
  return inspected[row * map.columns + column] === 1;
}

/**
 * All that a heatmap needs beside its image. Half of the scale is the threshold. What is not inspected has 0.
 * @param map raw scores of the prepared image @param rawLimit raw score at which the verdict changes
 */
export function makeAnomalyMap(
  map: ScoreMap,
  inspected: InspectedMap,
  rawLimit: number,
  prepared: PreparedImage<Picture>,
): AnomalyMap {
  const { toOriginal, originalWidth, originalHeight, image } = prepared;
  const { width, height } = mapSize({ width: originalWidth, height: originalHeight });
  const toPrepared = invertAffine(toOriginal);
  const data = new Uint8Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    const originalY = ((row + 0.5) * originalHeight) / height;
    for (let column = 0; column < width; column++, at++) {
      const originalX = ((column + 0.5) * originalWidth) / width;
      const [preparedX, preparedY] = applyAffine(toPrepared, originalX, originalY);
      const x = preparedX / image.width;
      const y = preparedY / image.height;
      if (x < 0 || y < 0 || x > 1 || y > 1 || !isInspected(inspected, x, y)) continue;
      const raw = rawScoreAt(map, x, y);
      data[at] = rawLimit > 0 ? Math.floor((255 * raw) / (raw + rawLimit) + 0.5) : 255;
    }
  }
  return { width, height, data };
}

/** The map in a few kilobytes: each row as its difference from the row above, deflated. */
export function encodeAnomalyMap({ width, data }: AnomalyMap): Uint8Array {
  const differences = data.map((score, index) => score - (index < width ? 0 : data[index - width]!));
  return deflateRawSync(differences, { level: 1 });
}

/** @param bytes of `encodeAnomalyMap` @param original the size of its image; the map's size follows from it */
export function decodeAnomalyMap(bytes: Uint8Array, original: Size): AnomalyMap {
  const { width, height } = mapSize(original);
  const data = new Uint8Array(inflateRawSync(bytes, { maxOutputLength: width * height }));
  for (let index = width; index < data.length; index++) data[index]! += data[index - width]!;
  return { width, height, data };
}

type Colour = readonly [red: number, green: number, blue: number, opacity: number];

/** Colours by anomaly score: nothing where it is ordinary, amber below the threshold (0.5), red above. */
const STOPS: readonly (readonly [score: number, Colour])[] = [
  [0.38, [255, 214, 64, 0]],
  [0.46, [255, 190, 40, 90]],
  [0.5, [255, 120, 20, 150]],
  [0.6, [230, 20, 30, 190]],
  [1, [200, 0, 60, 215]],
];

function colourOf(score: number): Colour {
  const next = STOPS.findIndex(([position]) => score <= position);
  const [upperScore, upper] = STOPS[next]!;
  const [lowerScore, lower] = STOPS[Math.max(0, next - 1)]!;
  const share = next === 0 ? 1 : (score - lowerScore) / (upperScore - lowerScore);
  const mix = (channel: 0 | 1 | 2 | 3): number => lower[channel] * (1 - share) + upper[channel] * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}

/** Red, green, blue, opacity for each of 256 scores. */
const COLOURS = Uint8Array.from({ length: 1024 }, (_, index) => colourOf(Math.floor(index / 4) / 255)[index % 4] ?? 0);

/** Lays the colours of the scores, stretched bilinearly, over the picture, in place. */
function blendColours({ width, height, data }: OwnedImage, map: AnomalyMap): void {
  const coarse = { rows: map.height, columns: map.width, data: Float32Array.from(map.data) };
  const scores = resizeMap(coarse, height, width).data;
  for (let pixel = 0; pixel < scores.length; pixel++) {
    const colour = 4 * Math.round(scores[pixel]!);
    const opacity = COLOURS[colour + 3]! / 255;
    if (opacity === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const at = 3 * pixel + channel;
      data[at] = data[at]! * (1 - opacity) + COLOURS[colour + channel]! * opacity;
    }
  }
}

/** JPEG of the original image under the colours of its anomaly map, reduced as `heatmapSize` says. */
export async function drawHeatmap(original: RgbImage, map: AnomalyMap): Promise<Uint8Array> {
  const { width, height } = heatmapSize(original);
  const reduced = await resizeImage(original, width, height);
  const picture = { width, height, data: new Uint8Array(reduced.data) };
  blendColours(picture, map);
  // A code table of its own for each picture would take twice the time and save 1 % of the bytes.
  return sharpImage(picture).jpeg({ quality: 85, optimiseCoding: false }).toBuffer();
}
