import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelStore } from '../models/model.store.ts';
import { sourceOf } from './model-source.ts';

const PATIENCE_MS = 5000;

/** Opens the active model, if there is one, in a compute process. Never rejects: without it the service starts all the same. */
export async function warmActiveModel(parts: {
  models: ModelStore;
  blobs: BlobStore;
  pool: ComputePool;
  log: Logger;
}): Promise<void> {
  const warm = async (): Promise<void> => {
    const model = await parts.models.findActiveModel();
    if (model) await parts.pool.warm(sourceOf(model, parts.blobs));
  };
  const opened = warm().catch((error: unknown) => {
    parts.log.warn({ err: error }, 'the active model could not be opened at the start');
  });
  await Promise.race([opened, pause(PATIENCE_MS, undefined, { ref: false })]);
}
