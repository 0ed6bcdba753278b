import type { Logger } from 'pino';
import { runTraining } from '../../jobs/compute/run-training.ts';
import type { TrainingOutcome } from '../../jobs/compute/training-messages.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handlers.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Trx } from '../../storage/database.ts';
import type { ParameterValues, PreprocessingStep } from '../../vision/types.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { ItemDetails } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import { findRefinement } from '../models/refinement.ts';
import type { RefiningStore } from '../refining/refining.store.ts';
import { runRefinement } from '../refining/run-refining.ts';
import { sampleOf } from './training-samples.ts';

interface Parts {
  items: ItemsService;
  models: ModelsService;
  backbones: BackboneCatalogue;
  blobs: BlobStore;
  refinings: RefiningStore;
  log: Logger;
}

const progressIntervalMs = 400;

/** Trains a queued model. Run again after a crash it starts over: nothing of a half-made model is kept. */
export function createTrainingHandler(parts: Parts): JobHandler<'train'> {
  const { models } = parts;
  return {
    kind: 'train',
    async run({ modelId }, context) {
      const model = await models.findModel(modelId);
      if (!model) return;
      const started = { status: 'training' as const, status_text: 'Starting.' };
      if (!(await models.updateTraining(undefined, modelId, started))) return;
      const refinement = findRefinement(model);
      if (!refinement) await train(parts, model, context);
      else await runRefinement(parts, model, refinement, { context, onProgress: reportTo(models, modelId) });
    },
    async onDead({ modelId }, error, trx) {
      await models.updateTraining(trx, modelId, { status: 'failed', status_text: error.message });
    },
  };
}

async function train(parts: Parts, model: ModelRow, context: JobContext): Promise<void> {
  const { models, blobs, backbones } = parts;
  const modelId = model.model_id;
  const params = JSON.parse(model.params) as ParameterValues;
  const wanted = String(params['backbone'] ?? 'kensa');
  const backbone = await backbones.getBackbone(wanted);
  const details = await loadItems(parts, modelId);
  const images = details.flatMap((item) => item.images.map((image) => ({ item, image })));
  const references: Record<string, Uint8Array> = {};
  const referenceBlobs = JSON.parse(model.step_references) as Record<string, string>;
  for (const [key, blob] of Object.entries(referenceBlobs)) references[key] = await blobs.get(blob);
  const startedAt = performance.now();
  const outcome = await runTraining({
    algorithmId: model.algorithm_id,
    parameterValues: params,
    steps: JSON.parse(model.steps) as PreprocessingStep[],
    references,
    samples: images.map(({ item, image }) => sampleOf(item, image.name)),
    loadImage: async (index) => blobs.get(images[index]?.image.blob ?? ''),
    backbone,
    seed: model.seed,
    onProgress: reportTo(models, modelId),
    signal: context.signal,
    log: parts.log,
  });
  const modelBlob = await blobs.put(outcome.modelFile);
  const backboneBlob = await blobs.put(backbone.onnx);
  const good = images.filter(({ item }) => item.item.user_result === 'OK');
  const changes = {
    status: 'ready' as const,
    // What `auto` stood for when it was trained stays the model's network, here and on any other machine.
    status_text: ['Ready.', ...(wanted === 'auto' ? [`Its network is ${backbone.id}.`] : []), ...outcome.remarks].join(
      ' ',
    ),
    image_blob: good[0]?.image.blob ?? null,
    ok_img_count: good.length,
    ng_img_count: images.length - good.length,
    training_time: Math.max(1, Math.round((performance.now() - startedAt) / 1000)),
    ...projectedStats(outcome),
    model_blob: modelBlob,
    backbone_id: backbone.id,
    backbone_blob: backboneBlob,
    backbone_description: JSON.stringify(backbone.description),
  };
  await context.completeWith(async (trx: Trx) => {
    // Cancelled or deleted while it was trained: that decision stands.
    if (await models.updateTraining(trx, modelId, changes)) await models.activateFirst(trx, modelId);
  });
}

function projectedStats({ calibration, statistics: { accuracy, precision, recall } }: TrainingOutcome) {
  return { calibration: JSON.stringify(calibration), accuracy, precision, recall };
}

async function loadItems({ items, models }: Parts, modelId: string): Promise<ItemDetails[]> {
  const ids = await models.listTrainingItemIds(modelId);
  const details: ItemDetails[] = [];
  for (let start = 0; start < ids.length; start += 200) {
    details.push(...(await items.findDetails(ids.slice(start, start + 200))));
  }
  // The order of arrival, so that the same items give the same model whatever order they were named in.
  return details.sort((one, other) => one.item.seq - other.item.seq);
}

/** Progress is for people: the database takes a few a second at most, and a late one never hides the end. */
function reportTo(models: ModelsService, modelId: string): (progress: { fraction: number; text: string }) => void {
  let nextAt = 0;
  return ({ fraction, text }) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + progressIntervalMs;
    const status_text = `${text}, ${Math.floor(fraction * 100)} %`;
    void models.noteProgress(modelId, status_text).catch(() => undefined);
  };
}
