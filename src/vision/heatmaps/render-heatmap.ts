import sharp from 'sharp';
import { resizeImage } from '../image/resize-image.ts';
import { invertAffine } from '../math/affine.ts';
import type { PreparedImage, RgbImage, ScoreMap } from '../types.ts';
import { blendScores, type ScoreLayer } from './blend-scores.ts';
import type { InspectedMap } from './inspected-map.ts';

const LONGEST_SIDE = 768;
/** Longer side of the score layer: it is smooth, so that it may be stretched. */
const LAYER_SIDE = 128;

function sample({ rows, columns, data }: ScoreMap, x: number, y: number): number {
  const column = Math.min(Math.max(x * columns - 0.5, 0), columns - 1);
  const row = Math.min(Math.max(y * rows - 0.5, 0), rows - 1);
  const left = Math.floor(column);
  const top = Math.floor(row) * columns;
  const right = Math.min(left + 1, columns - 1);
  const bottom = Math.min(top + columns, (rows - 1) * columns);
  const dx = column - left;
  const dy = row - Math.floor(row);
  const upper = data[top + left]! * (1 - dx) + data[top + right]! * dx;
  const lower = data[bottom + left]! * (1 - dx) + data[bottom + right]! * dx;
  return upper * (1 - dy) + lower * dy;
}

/** Whether the cell around a place is inspected; x and y are shares of the sides. */
function isInspected({ map: { rows, columns }, inspected }: InspectedMap, x: number, y: number): boolean {
  const row = Math.min(rows - 1, Math.floor(y * rows));
  return inspected[row * columns + Math.min(columns - 1, Math.floor(x * columns))] === 1;
}

interface Scores {
  readonly map: ScoreMap;
  readonly inspected: InspectedMap;
  /** Raw score at which the verdict turns. */
  readonly rawLimit: number;
}

/** Anomaly scores in the place of the original image, 0 where it is not inspected: what has no say has no colour. */
function scoreLayer(
  { map, inspected, rawLimit }: Scores,
  prepared: PreparedImage,
  width: number,
  height: number,
): ScoreLayer {
  const { toOriginal, originalWidth, originalHeight, image } = prepared;
  const { a, b, c, d, e, f } = invertAffine(toOriginal);
  const data = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const originalY = ((row + 0.5) * originalHeight) / height;
    for (let column = 0; column < width; column++) {
      const originalX = ((column + 0.5) * originalWidth) / width;
      const x = a * originalX + b * originalY + c;
      const y = d * originalX + e * originalY + f;
      if (x < 0 || y < 0 || x > image.width || y > image.height) continue;
      if (!isInspected(inspected, x / image.width, y / image.height)) continue;
      const raw = sample(map, x / image.width, y / image.height);
      data[row * width + column] = Math.round(rawLimit > 0 ? (255 * raw) / (raw + rawLimit) : 255);
    }
  }
  return { width, height, data };
}

/**
 * JPEG of the original image under the colours of its anomaly map, reduced by a whole number to 768 pixels or less.
 * @param scores of the prepared image; the limit is coloured as the threshold
 */
export async function renderHeatmap(original: RgbImage, scores: Scores, prepared: PreparedImage): Promise<Uint8Array> {
  const reduction = Math.ceil(Math.max(original.width, original.height) / LONGEST_SIDE);
  const width = Math.max(1, Math.round(original.width / reduction));
  const height = Math.max(1, Math.round(original.height / reduction));
  const layerScale = Math.min(1, LAYER_SIDE / Math.max(width, height));
  const layerWidth = Math.max(1, Math.round(width * layerScale));
  const layerHeight = Math.max(1, Math.round(height * layerScale));
  const layer = scoreLayer(scores, prepared, layerWidth, layerHeight);
  const reduced = await resizeImage(original, width, height);
  const picture = reduced === original ? { ...original, data: original.data.slice() } : reduced;
  blendScores(picture, layer);
  return (
    sharp(picture.data, { raw: { width, height, channels: 3 } })
      // A code table for each picture would take twice the time and save one byte in a hundred.
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
  );
}
