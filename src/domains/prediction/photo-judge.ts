import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { SentVerdict } from '../../jobs/compute/messages.ts';
import type { BlobHash, BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelRow } from '../models/model.store.ts';
import { AwaitedPhotos } from './awaited-photos.ts';
import { sourceOf } from './model-source.ts';

/** What the engine said of a photo, and how long it took. */
export interface Judgement {
  readonly verdict: SentVerdict;
  readonly durationMs: number;
}

export type PhotoJudge = ReturnType<typeof createPhotoJudge>;

/** Verdicts that nobody fetches, because what asked for them was refused or another process had the job, give way to these. */
const MOST_BEGUN = 16;

/** All that a verdict depends on: whoever asks for the same may have the one that another asked for. */
const questionOf = (model: ModelRow, photo: BlobHash): string =>
  [photo, model.model_blob, model.threshold, model.ignore_outer, model.min_detected_area].join(' ');

/**
 * Has photos judged by the engine: for their jobs, and ahead of them where a process has nothing to do, which then computes
 * while the job is stored, answered and claimed. What is begun early is stored by its job alone, like any other verdict.
 * @param keptBytes of photos that are kept for the engine from their upload on; 0: nothing is kept, or begun early.
 */
export function createPhotoJudge(parts: {
  pool: Pick<ComputePool, 'predict' | 'stats'>;
  blobs: Pick<BlobStore, 'get'>;
  keptBytes: number;
}) {
  const { pool, blobs } = parts;
  const kept = new AwaitedPhotos(parts.keptBytes);
  const begun = new Map<string, Promise<Judgement>>();

  const read = async (photo: BlobHash): Promise<Uint8Array> => kept.take(photo) ?? (await blobs.get(photo));

  const ask = async (model: ModelRow, image: Uint8Array): Promise<Judgement> => {
    const { threshold, ignore_outer: ignoreOuter, min_detected_area: minDetectedArea } = model;
    const startedAt = performance.now();
    const options = { threshold, ignoreOuter, minDetectedArea };
    const verdict = await pool.predict({ model: sourceOf(model, blobs), image, options });
    return { verdict, durationMs: performance.now() - startedAt };
  };

  const countIdle = (): number => {
    const { processes, waiting } = pool.stats();
    return waiting > 0 ? 0 : processes.filter(({ ready, tasks }) => ready && tasks === 0).length;
  };

  const begin = async (model: ModelRow, photo: BlobHash): Promise<void> => {
    const image = await read(photo);
    // Others may have come meanwhile.
    if (countIdle() === 0) return kept.keep(photo, image);
    const question = questionOf(model, photo);
    const judgement = ask(model, image);
    // Its job is told if it waits for it; one that comes later has the photo judged anew.
    judgement.catch(() => {
      if (begun.get(question) === judgement) begun.delete(question);
    });
    begun.set(question, judgement);
    const [oldest] = begun.keys();
    if (begun.size > MOST_BEGUN && oldest !== undefined) begun.delete(oldest);
  };

  return {
    /** A photo that is about to be queued, so that it need not be read again. */
    keep: (photo: BlobHash, image: Uint8Array): void => kept.keep(photo, image),

    /** Begins with as many of the photos as there are idle processes. What is wrong with a photo, its job says. */
    async beginEarly(model: ModelRow, listPhotos: (most: number) => Promise<readonly BlobHash[]>): Promise<void> {
      const most = parts.keptBytes > 0 ? countIdle() : 0;
      if (most === 0) return;
      const photos = await listPhotos(most);
      await Promise.all(photos.slice(0, most).map((photo) => begin(model, photo).catch(() => {})));
    },

    /** @throws VisionError where the image or the model is at fault, AppError `compute-failed` or `storage-damaged` otherwise. */
    async judge(model: ModelRow, photo: BlobHash): Promise<Judgement> {
      const question = questionOf(model, photo);
      const early = begun.get(question);
      begun.delete(question);
      return early ?? ask(model, await read(photo));
    },
  };
}
