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
