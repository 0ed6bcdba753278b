import sharp from 'sharp';
import { resizeImage } from '../image/resize-image.ts';
import type { RgbImage } from '../types.ts';
import { blendScores } from './blend-scores.ts';
import { heatmapSize } from './heatmap-size.ts';
import type { ScoreLayer } from './score-layer.ts';

/**
 * JPEG of the original image under the colours of its scores, reduced as `heatmapSize` says.
 * @param original drawn over where it need not be reduced: a copy would cost as much as the colours
 */
export async function drawHeatmap(original: RgbImage, layer: ScoreLayer): Promise<Uint8Array> {
  const { width, height } = heatmapSize(original);
  const picture = await resizeImage(original, width, height);
  blendScores(picture, layer);
  return (
    sharp(picture.data, { raw: { width, height, channels: 3 } })
      // A code table for each picture would take twice the time and save one byte in a hundred.
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
  );
}
