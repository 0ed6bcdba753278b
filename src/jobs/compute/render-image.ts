import sharp from 'sharp';
import { decodeAnomalyMap, drawHeatmap } from '../../vision/anomaly-map/anomaly-map.ts';
import { decodeImage } from '../../vision/image/decode-image.ts';
import { sharpImage } from '../../vision/image/resize-image.ts';
import { compileSteps } from '../../vision/preprocess/compile-steps.ts';
import type { TaskOf } from './messages.ts';

/** WebP that fits into a square of `size` pixels, never enlarged. @throws VisionError */
export async function renderThumbnail(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const image = await decodeImage(bytes);
  return sharpImage(image)
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
}

/** JPEG of the image under its anomaly map. @throws VisionError */
export async function renderHeatmap({ image, anomalyMap }: TaskOf<'heatmap'>): Promise<Uint8Array> {
  const original = await decodeImage(image);
  return drawHeatmap(original, decodeAnomalyMap(anomalyMap, original));
}

/** Grey PNG: 255 × anomaly score. @param task with the size of the image that the map is of */
export function renderAnomalyMap({ anomalyMap, ...original }: TaskOf<'anomaly-map'>): Promise<Uint8Array> {
  const { width, height, data } = decodeAnomalyMap(anomalyMap, original);
  return sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** WebP of the image after the steps, without loss, so that a person sees what the network sees. @throws VisionError */
export async function renderPreview({ image, steps, references }: TaskOf<'preview'>): Promise<Uint8Array> {
  const preprocess = await compileSteps(steps, new Map(Object.entries(references)));
  const prepared = await preprocess(await decodeImage(image));
  return sharpImage(prepared.image).webp({ lossless: true, effort: 1 }).toBuffer();
}
