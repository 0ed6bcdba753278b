import { createHash } from 'node:crypto';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ItemImageRow, ModelRow } from '../../storage/database.ts';
import type { AssessedImage } from './assessment.store.ts';
import { sourceOf } from './model-source.ts';

type Inference = Pick<AssessedImage, 'verdict' | 'durationMs'>;

/** For anomaly maps, the largest part of verdicts. Of a megapixel, some thousand verdicts have room. */
const MOST_BYTES = 32 * 1024 * 1024;

export type UploadVerdicts = ReturnType<typeof createUploadVerdicts>;

/**
 * Infers images, also those of uploads that ask for a prediction: the inference is the check of the file too, which is
 * so decoded once. The verdict waits here for the transaction that stores the item, or for its job, which infers again
 * where it finds none.
 */
export function createUploadVerdicts({
  pool,
  blobs,
}: {
  pool: Pick<ComputePool, 'predict'>;
  blobs: Pick<BlobStore, 'get'>;
}) {
  const waiting = new Map<string, Inference>();
  let bytes = 0;

  const keyOf = ({ model_blob, threshold, ignore_outer, min_detected_area }: ModelRow, blob: string): string =>
    [blob, model_blob, threshold, ignore_outer, min_detected_area].join(' ');

  const infer = async (model: ModelRow, image: Uint8Array): Promise<Inference> => {
    const { threshold, ignore_outer: ignoreOuter, min_detected_area: minDetectedArea } = model;
    const startedAt = performance.now();
    const options = { threshold, ignoreOuter, minDetectedArea };
    const verdict = await pool.predict({ model: sourceOf(model, blobs), image, options });
    return { verdict, durationMs: performance.now() - startedAt };
  };

  const take = (key: string): Inference | undefined => {
    const found = waiting.get(key);
    if (waiting.delete(key)) bytes -= found?.verdict.anomalyMap.length ?? 0;
    return found;
  };

  return {
    /** Infers an image that is uploaded. @throws VisionError, AppError as of `predict` */
    async inferUpload(model: ModelRow, image: Uint8Array): Promise<Inference['verdict']> {
      const inferring = infer(model, image);
      const key = keyOf(model, createHash('sha256').update(image).digest('hex'));
      const inference = await inferring;
      take(key);
      waiting.set(key, inference);
      bytes += inference.verdict.anomalyMap.length;
      for (const oldest of waiting.keys()) {
        if (bytes <= MOST_BYTES) break;
        take(oldest);
      }
      return inference.verdict;
    },

    /** The verdicts of an upload on all images of an item. @returns undefined where one is missing or of another model */
    takeAll(model: ModelRow, images: readonly ItemImageRow[]): AssessedImage[] | undefined {
      const found = images.flatMap(({ position, blob }) => {
        const inference = waiting.get(keyOf(model, blob));
        return inference ? [{ position, blob, ...inference }] : [];
      });
      if (found.length === 0 || found.length < images.length) return undefined;
      for (const { blob } of images) take(keyOf(model, blob));
      return found;
    },

    /** The verdict on a stored image: that of its upload where it still fits the model. */
    async inferBlob(model: ModelRow, blob: string): Promise<Inference> {
      return take(keyOf(model, blob)) ?? infer(model, await blobs.get(blob));
    },
  };
}
