import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { invertAffine } from '../math/affine.ts';
import type { Picture, PreparedImage, ScoreMap } from '../types.ts';
import { heatmapSize } from './heatmap-size.ts';
import type { InspectedMap } from './inspected-map.ts';

/** Longer side of a layer: it is smooth, so that it may be stretched. */
const LONGEST_SIDE = 128;

/** Anomaly scores × 255 in the place of the original image, coarser than it. `data` is [height · width]. */
export interface ScoreLayer {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface LayerScores {
  /** Of the prepared image. */
  readonly map: ScoreMap;
  readonly inspected: InspectedMap;
  /** Raw score at which the verdict turns. */
  readonly rawLimit: number;
}

function layerSize(original: { width: number; height: number }): { width: number; height: number } {
  const { width, height } = heatmapSize(original);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const clamp = (position: number, last: number): number => (position < 0 ? 0 : position > last ? last : position);

/**
 * All that a heatmap needs beside its image: scores are bilinear between the middles of the map's cells, half of the
 * scale is the threshold, and what is not inspected has 0, as what has no say has no colour.
 */
export function makeScoreLayer(
  { map, inspected, rawLimit }: LayerScores,
  prepared: PreparedImage<Picture>,
): ScoreLayer {
  const { toOriginal, originalWidth, originalHeight, image } = prepared;
  const { width, height } = layerSize({ width: originalWidth, height: originalHeight });
  const { a, b, c, d, e, f } = invertAffine(toOriginal);
  const [perWidth, perHeight] = [1 / image.width, 1 / image.height];
  const originalX = Float64Array.from({ length: width }, (_, column) => ((column + 0.5) * originalWidth) / width);
  const [alongX, alongY] = [originalX.map((x) => a * x), originalX.map((x) => d * x)];
  const { rows, columns, data: scores } = map;
  const { rows: fineRows, columns: fineColumns } = inspected.map;
  const data = new Uint8Array(width * height);
  for (let line = 0, at = 0; line < height; line++) {
    const originalY = ((line + 0.5) * originalHeight) / height;
    const [byX, byY] = [b * originalY, e * originalY];
    for (let place = 0; place < width; place++, at++) {
      // Shares of the prepared image's sides.
      const x = (alongX[place]! + byX + c) * perWidth;
      const y = (alongY[place]! + byY + f) * perHeight;
      if (x < 0 || y < 0 || x > 1 || y > 1) continue;
      // Whole parts of what is never below 0, several times as fast as Math.floor; so are comparisons beside Math.min.
      const fineRow = (y * fineRows) | 0;
      const fineColumn = (x * fineColumns) | 0;
      const start = (fineRow < fineRows ? fineRow : fineRows - 1) * fineColumns;
      if (inspected.inspected[start + (fineColumn < fineColumns ? fineColumn : fineColumns - 1)] !== 1) continue;
      const column = clamp(x * columns - 0.5, columns - 1);
      const row = clamp(y * rows - 0.5, rows - 1);
      const left = column | 0;
      const above = row | 0;
      const right = left + 1 < columns ? left + 1 : left;
      const top = above * columns;
      const bottom = above + 1 < rows ? top + columns : top;
      const dx = column - left;
      const dy = row - above;
      const upper = scores[top + left]! * (1 - dx) + scores[top + right]! * dx;
      const lower = scores[bottom + left]! * (1 - dx) + scores[bottom + right]! * dx;
      const raw = upper * (1 - dy) + lower * dy;
      // Cut off to the whole number below, and so rounded.
      data[at] = rawLimit > 0 ? ((255 * raw) / (raw + rawLimit) + 0.5) | 0 : 255;
    }
  }
  return { width, height, data };
}

/**
 * The layer in a few kilobytes: each row as its difference from the row above, deflated. Its size is that which
 * `layerSize` says of the original image.
 */
export function encodeScoreLayer({ width, data }: ScoreLayer): Uint8Array {
  const differences = data.map((score, index) => score - (index < width ? 0 : data[index - width]!));
  return deflateRawSync(differences, { level: 1 });
}

/** @param bytes of `encodeScoreLayer` @param original the size of its image */
export function decodeScoreLayer(bytes: Uint8Array, original: { width: number; height: number }): ScoreLayer {
  const { width, height } = layerSize(original);
  const data = new Uint8Array(inflateRawSync(bytes, { maxOutputLength: width * height }));
  for (let index = width; index < data.length; index++) data[index]! += data[index - width]!;
  return { width, height, data };
}
