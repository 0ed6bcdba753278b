import type { Logger } from 'pino';
import { runTraining } from '../../jobs/compute/run-training.ts';
import { say, storeMessages } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { chunks } from '../../storage/chunks.ts';
import type { ParameterValues, PreprocessingStep } from '../../vision/types.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { ItemDetails } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { ModelRun } from './make-model.ts';
import { sampleOf } from './training-samples.ts';

interface Parts {
  readonly items: ItemsService;
  readonly models: ModelsService;
  readonly backbones: BackboneCatalogue;
  readonly blobs: BlobStore;
  readonly log: Logger;
}

/** Trains a model on its items. */
export async function train(parts: Parts, { model, context, onProgress }: ModelRun): Promise<void> {
  const { models, blobs, backbones } = parts;
  const startedAt = performance.now();
  const params = JSON.parse(model.params) as ParameterValues;
  const wanted = String(params['backbone'] ?? 'kensa');
  const { id, onnx, description } = await backbones.getBackbone(wanted);
  const images = (await loadItems(parts, model)).flatMap((item) => item.images.map((image) => ({ item, image })));
  const outcome = await runTraining(
    {
      kind: 'train',
      algorithmId: model.algorithm_id,
      parameterValues: params,
      steps: JSON.parse(model.steps) as PreprocessingStep[],
      references: await loadReferences(blobs, model),
      samples: images.map(({ item, image }) => sampleOf(item, image)),
      backbone: { id, onnx, description },
      seed: model.seed,
    },
    {
      loadImage: async (index) => blobs.get(images[index]?.image.blob ?? ''),
      onProgress,
      signal: context.signal,
      log: parts.log,
    },
  );
  const good = images.filter(({ item }) => item.item.user_result === 'OK');
  const { accuracy, precision, recall } = outcome.statistics;
  // What `auto` stood for when it was trained stays the model's network, here and on any other machine.
  const network = wanted === 'auto' ? [say('status.network', { network: id })] : [];
  const changes = {
    status: 'ready' as const,
    status_text: storeMessages([say('status.ready'), ...network, ...outcome.remarks]),
    image_blob: good[0]?.image.blob ?? null,
    ok_img_count: good.length,
    ng_img_count: images.length - good.length,
    training_time: Math.max(1, Math.round((performance.now() - startedAt) / 1000)),
    accuracy,
    precision,
    recall,
    calibration: JSON.stringify(outcome.calibration),
    model_blob: await blobs.put(outcome.modelFile),
    backbone_id: id,
    backbone_blob: await blobs.put(onnx),
    backbone_description: JSON.stringify(description),
  };
  await context.completeWith(async (trx) => {
    // Cancelled or deleted while it was trained: that decision stands.
    if (!(await models.updateTraining(trx, model.model_id, changes))) return;
    await models.activateFirst(trx, model.model_id);
  });
}

async function loadReferences(blobs: BlobStore, model: ModelRow): Promise<Record<string, Uint8Array>> {
  const references: Record<string, Uint8Array> = {};
  for (const [key, blob] of Object.entries(JSON.parse(model.step_references) as Record<string, string>)) {
    references[key] = await blobs.get(blob);
  }
  return references;
}

async function loadItems({ items, models }: Parts, model: ModelRow): Promise<ItemDetails[]> {
  const ids = await models.listTrainingItemIds(model.model_id);
  const details: ItemDetails[] = [];
  for (const part of chunks(ids)) details.push(...(await items.findDetails(part)));
  // The order of arrival, so that the same items give the same model whatever order they were named in.
  return details.sort((one, other) => one.item.seq - other.item.seq);
}
