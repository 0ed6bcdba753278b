import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type ComputePool, mostOpenModels } from '../../jobs/compute/compute-pool.ts';
import type { ModelSource } from '../../jobs/compute/compute-worker.ts';
import { UnretryableError } from '../../jobs/job-handlers.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { BackboneDescription } from '../../vision/types.ts';

/** Where compute processes get a model and its network from. @throws UnretryableError where it was never trained. */
export function sourceOf(model: ModelRow, blobs: Pick<BlobStore, 'get'>): ModelSource {
  const { model_blob: modelBlob, backbone_blob: backboneBlob, backbone_id: id, backbone_description: text } = model;
  if (modelBlob === null || backboneBlob === null || id === null || text === null) {
    throw new UnretryableError(`Model ${model.model_id} has no trained state. Train it again.`);
  }
  return {
    hash: modelBlob,
    load: () => blobs.get(modelBlob),
    backbone: {
      id,
      hash: backboneBlob,
      description: JSON.parse(text) as BackboneDescription,
      load: () => blobs.get(backboneBlob),
    },
  };
}

const PATIENCE_MS = 5000;

/** Opens models in a compute process. Never rejects: without them the service starts all the same. */
export async function warmModels(dependencies: {
  list: () => Promise<ModelRow[]>;
  blobs: BlobStore;
  pool: ComputePool;
  log: Logger;
}): Promise<void> {
  const warm = async (): Promise<void> => {
    // One after another: a process that opens several at a time is ready for none of them sooner.
    for (const model of (await dependencies.list()).slice(0, mostOpenModels)) {
      await dependencies.pool.warm(sourceOf(model, dependencies.blobs));
    }
  };
  const opened = warm().catch((error: unknown) => {
    dependencies.log.warn({ err: error }, 'a model could not be opened at the start');
  });
  await Promise.race([opened, pause(PATIENCE_MS, undefined, { ref: false })]);
}
