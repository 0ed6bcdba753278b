import sharp from 'sharp';
import { resizeImage } from '../image/resize-image.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import type { PreparedImage, RgbImage, ScoreMap } from '../types.ts';

const LONGEST_SIDE = 768;
/** Longer side of the score layer: it is smooth, so that it may be stretched. */
const LAYER_SIDE = 192;

/** Colour stops over the anomaly score: nothing where it is ordinary, amber below the threshold (0.5), red above. */
const STOPS: readonly (readonly [number, readonly [number, number, number, number]])[] = [
  [0.38, [255, 214, 64, 0]],
  [0.46, [255, 190, 40, 90]],
  [0.5, [255, 120, 20, 150]],
  [0.6, [230, 20, 30, 190]],
  [1, [200, 0, 60, 215]],
];

function colourOf(score: number): readonly [number, number, number, number] {
  const above = STOPS.findIndex(([position]) => score <= position);
  const upper = STOPS[above < 0 ? STOPS.length - 1 : above];
  const lower = STOPS[Math.max(0, (above < 0 ? STOPS.length : above) - 1)];
  if (!upper || !lower || upper === lower) return upper?.[1] ?? [0, 0, 0, 0];
  const share = Math.min(1, (score - lower[0]) / (upper[0] - lower[0]));
  const mix = (channel: 0 | 1 | 2 | 3): number => lower[1][channel] * (1 - share) + upper[1][channel] * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}

/** Red, green, blue, opacity for each of 256 scores. */
const COLOURS = Uint8Array.from({ length: 1024 }, (_, index) => colourOf(Math.floor(index / 4) / 255)[index % 4] ?? 0);

function sample({ rows, columns, data }: ScoreMap, x: number, y: number): number {
  const [column, row] = [x * columns - 0.5, y * rows - 0.5];
  const clampedColumn = Math.min(Math.max(column, 0), columns - 1);
  const clampedRow = Math.min(Math.max(row, 0), rows - 1);
  const [left, top] = [Math.floor(clampedColumn), Math.floor(clampedRow)];
  const [right, bottom] = [Math.min(left + 1, columns - 1), Math.min(top + 1, rows - 1)];
  const [dx, dy] = [clampedColumn - left, clampedRow - top];
  const upper = data[top * columns + left]! * (1 - dx) + data[top * columns + right]! * dx;
  const lower = data[bottom * columns + left]! * (1 - dx) + data[bottom * columns + right]! * dx;
  return upper * (1 - dy) + lower * dy;
}

/** Anomaly scores × 255 in the place of the original image, [height · width]. */
function scoreLayer(map: ScoreMap, prepared: PreparedImage, rawLimit: number, width: number, height: number) {
  const { toOriginal, originalWidth, originalHeight, image } = prepared;
  const toPrepared = invertAffine(toOriginal);
  const layer = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const originalX = ((column + 0.5) * originalWidth) / width;
      const originalY = ((row + 0.5) * originalHeight) / height;
      const [x, y] = applyAffine(toPrepared, originalX, originalY);
      if (x < 0 || y < 0 || x > image.width || y > image.height) continue;
      const raw = sample(map, x / image.width, y / image.height);
      layer[row * width + column] = Math.round(rawLimit > 0 ? (255 * raw) / (raw + rawLimit) : 255);
    }
  return layer;
}

/** The picture under the colours of its scores. @param rgb [pixels · 3] @param scores [pixels] */
function blend(rgb: Uint8Array, scores: Uint8Array): Uint8Array {
  const result = Uint8Array.from(rgb);
  for (let pixel = 0; pixel < scores.length; pixel++) {
    const colour = scores[pixel]! * 4;
    const alpha = COLOURS[colour + 3]!;
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const under = result[pixel * 3 + channel]!;
      result[pixel * 3 + channel] = under + ((COLOURS[colour + channel]! - under) * alpha) / 255;
    }
  }
  return result;
}

/**
 * JPEG of the original image, at most 768 pixels long, under the colours of its anomaly map.
 * @param rawLimit raw score at which the verdict turns; it is coloured as the threshold
 */
export async function renderHeatmap(
  original: RgbImage,
  map: ScoreMap,
  prepared: PreparedImage,
  rawLimit: number,
): Promise<Uint8Array> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(original.width, original.height));
  const width = Math.max(1, Math.round(original.width * scale));
  const height = Math.max(1, Math.round(original.height * scale));
  const layerScale = Math.min(1, LAYER_SIDE / Math.max(width, height));
  const layerWidth = Math.max(1, Math.round(width * layerScale));
  const layerHeight = Math.max(1, Math.round(height * layerScale));
  const layer = scoreLayer(map, prepared, rawLimit, layerWidth, layerHeight);
  const stretched = await sharp(layer, { raw: { width: layerWidth, height: layerHeight, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  const base = await resizeImage(original, width, height);
  return sharp(blend(base.data, stretched), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}
