import { resizeImage } from '../image/resize-image.ts';
import { sharpImage } from '../image/sharp-image.ts';
import type { RgbImage } from '../types.ts';
import { blendScores } from './blend-scores.ts';
import { heatmapSize } from './heatmap-size.ts';
import type { ScoreLayer } from './score-layer.ts';

/** JPEG of the original image under the colours of its scores, reduced as `heatmapSize` says. */
export async function drawHeatmap(original: RgbImage, layer: ScoreLayer): Promise<Uint8Array> {
  const { width, height } = heatmapSize(original);
  const reduced = await resizeImage(original, width, height);
  const picture = { width, height, data: new Uint8Array(reduced.data) };
  blendScores(picture, layer);
  return (
    sharpImage(picture)
      // A code table for each picture would take twice the time and save one byte in a hundred.
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
  );
}
