import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { runTraining } from '../../jobs/compute/run-training.ts';
import type { RefineImage } from '../../jobs/compute/training-messages.ts';
import { say, storeMessages } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BackboneDescription, BackboneFile } from '../../vision/types.ts';
import type { ItemDetails } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import { findRefinement, type Refinement } from '../models/refinement.ts';
import type { ModelRun } from '../training/make-model.ts';
import { sampleOf } from '../training/training-samples.ts';
import type { RefiningStore } from './refining.store.ts';

interface Parts {
  readonly items: ItemsService;
  readonly models: ModelsService;
  readonly blobs: BlobStore;
  readonly refinings: RefiningStore;
  readonly log: Logger;
}

/** Items of each kind that are inferred again, so that no right verdict becomes wrong. */
const KNOWN_LIMIT = 100;

interface Choice {
  readonly use: RefineImage['use'];
  readonly learned: boolean;
  readonly details: readonly ItemDetails[];
}

/** Makes a model that is a copy of its parent with the corrections in it. */
export async function refine(parts: Parts, { model, context, onProgress }: ModelRun): Promise<void> {
  const { models, blobs, log } = parts;
  const refinement = findRefinement(model);
  if (!refinement) throw new Error(`Model ${model.model_id} is not a refinement.`);
  const startedAt = performance.now();
  const { parent, backbone, modelFile } = await loadParent(parts, refinement);
  const choices = await chooseItems(parts, parent, refinement);
  const images = choices.flatMap(({ details, use, learned }) =>
    details.flatMap((item) => item.images.map((image) => ({ item, image, use, learned }))),
  );
  const outcome = await runTraining(
    {
      kind: 'refine',
      modelFile,
      backbone,
      samples: images.map(({ item, image, use, learned }) => ({ ...sampleOf(item, image), use, learned })),
      options: {
        threshold: model.threshold,
        ignoreOuter: model.ignore_outer,
        minDetectedArea: model.min_detected_area,
      },
    },
    {
      loadImage: async (index) => blobs.get(images[index]?.image.blob ?? ''),
      onProgress,
      signal: context.signal,
      log,
    },
  );
  const corrections = images.filter(({ use }) => use === 'correction');
  const good = corrections.filter(({ item }) => item.item.user_result === 'OK').length;
  const { accuracy, precision, recall } = outcome.statistics;
  const changes = {
    status: 'ready' as const,
    status_text: storeMessages([say('status.ready'), ...outcome.remarks]),
    image_blob: parent.image_blob,
    ok_img_count: parent.ok_img_count + good,
    ng_img_count: parent.ng_img_count + corrections.length - good,
    training_time: Math.max(1, Math.round((performance.now() - startedAt) / 1000)),
    accuracy,
    precision,
    recall,
    calibration: JSON.stringify(outcome.calibration),
    model_blob: await blobs.put(outcome.modelFile),
    backbone_id: parent.backbone_id,
    backbone_blob: parent.backbone_blob,
    backbone_description: parent.backbone_description,
  };
  await context.completeWith(async (trx) => {
    // Cancelled or deleted meanwhile: that decision stands.
    if (!(await models.updateTraining(trx, model.model_id, changes))) return;
    if (refinement.activate) await models.takeOver(trx, model.model_id, parent.model_id);
    await models.activateFirst(trx, model.model_id);
  });
}

async function loadParent({ models, blobs }: Parts, { parentId }: Refinement) {
  const parent = await models.findModel(parentId);
  if (!parent?.model_blob || !parent.backbone_blob) {
    throw new AppError('model-not-available', { id: parentId, reason: say('model.deleted-before-refining') });
  }
  const description = JSON.parse(parent.backbone_description ?? '{}') as BackboneDescription;
  const onnx = await blobs.get(parent.backbone_blob);
  const backbone: BackboneFile = { id: parent.backbone_id ?? '', onnx, description };
  return { parent, backbone, modelFile: await blobs.get(parent.model_blob) };
}

/** The corrections, and items that must stay right: of earlier refinements, of the training, and right verdicts. */
async function chooseItems(parts: Parts, parent: ModelRow, refinement: Refinement): Promise<Choice[]> {
  const { items, models, refinings } = parts;
  const chosen = new Set(refinement.itemIds);
  const notChosen = (ids: readonly string[]): string[] => {
    const others = ids.filter((id) => !chosen.has(id));
    for (const id of others) chosen.add(id);
    return others;
  };
  const corrected = notChosen(await listEarlierCorrections(models, parent));
  const learned = notChosen((await models.listTrainingItemIds(parent.model_id)).sort());
  const agreed = notChosen(await refinings.listAgreements(parent.model_id, KNOWN_LIMIT));
  const load = async (use: Choice['use'], isLearned: boolean, ids: readonly string[]): Promise<Choice> => ({
    use,
    learned: isLearned,
    details: (await items.findDetails(ids)).filter(({ item }) => item.user_result !== null),
  });
  return [
    await load('correction', false, refinement.itemIds),
    await load('known', false, spread(corrected, KNOWN_LIMIT)),
    await load('known', true, spread(learned, KNOWN_LIMIT)),
    await load('known', false, agreed),
  ];
}

async function listEarlierCorrections(models: ModelsService, parent: ModelRow): Promise<string[]> {
  const itemIds: string[] = [];
  for (let model: ModelRow | undefined = parent; model; ) {
    const earlier: Refinement | undefined = findRefinement(model);
    itemIds.push(...(earlier?.itemIds ?? []));
    model = earlier && (await models.findModel(earlier.parentId));
  }
  return itemIds;
}

/** At most `count` of the ids, spread evenly over the list. */
function spread(ids: readonly string[], count: number): string[] {
  if (ids.length <= count) return [...ids];
  return Array.from({ length: count }, (_, index) => ids[Math.floor((index * ids.length) / count)] ?? '');
}
