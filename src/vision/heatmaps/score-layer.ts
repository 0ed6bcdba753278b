import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { invertAffine } from '../math/affine.ts';
import type { PreparedImage, ScoreMap } from '../types.ts';
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

/** Bilinear between the cells' middles; x and y are shares of the sides. */
function sample({ rows, columns, data }: ScoreMap, x: number, y: number): number {
  const column = Math.min(Math.max(x * columns - 0.5, 0), columns - 1);
  const row = Math.min(Math.max(y * rows - 0.5, 0), rows - 1);
  // Whole parts of what is never below 0, several times as fast as Math.floor.
  const [left, above] = [column | 0, row | 0];
  const right = left + 1 < columns ? left + 1 : left;
  const top = above * columns;
  const bottom = above + 1 < rows ? top + columns : top;
  const dx = column - left;
  const dy = row - above;
  const upper = data[top + left]! * (1 - dx) + data[top + right]! * dx;
  const lower = data[bottom + left]! * (1 - dx) + data[bottom + right]! * dx;
  return upper * (1 - dy) + lower * dy;
}

/** Whether the cell around a place is inspected; x and y are shares of the sides. */
function isInspected({ map: { rows, columns }, inspected }: InspectedMap, x: number, y: number): boolean {
  const row = Math.min(rows - 1, (y * rows) | 0);
  return inspected[row * columns + Math.min(columns - 1, (x * columns) | 0)] === 1;
}

function layerSize(original: { width: number; height: number }): { width: number; height: number } {
  const { width, height } = heatmapSize(original);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * All that a heatmap needs beside its image: half of the scale is the threshold, and what is not inspected has 0, as what
 * has no say has no colour.
 */
export function makeScoreLayer({ map, inspected, rawLimit }: LayerScores, prepared: PreparedImage): ScoreLayer {
  const { toOriginal, originalWidth, originalHeight, image } = prepared;
  const { width, height } = layerSize({ width: originalWidth, height: originalHeight });
  const { a, b, c, d, e, f } = invertAffine(toOriginal);
  const [perWidth, perHeight] = [1 / image.width, 1 / image.height];
  const data = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const originalY = ((row + 0.5) * originalHeight) / height;
    for (let column = 0; column < width; column++) {
      const originalX = ((column + 0.5) * originalWidth) / width;
      const x = (a * originalX + b * originalY + c) * perWidth;
      const y = (d * originalX + e * originalY + f) * perHeight;
      if (x < 0 || y < 0 || x > 1 || y > 1 || !isInspected(inspected, x, y)) continue;
      const raw = sample(map, x, y);
      // Cut off to the whole number below, and so rounded.
      data[row * width + column] = rawLimit > 0 ? (255 * raw) / (raw + rawLimit) + 0.5 : 255;
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
