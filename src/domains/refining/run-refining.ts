import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { runRefining } from '../../jobs/compute/run-training.ts';
import type { RefineImage } from '../../jobs/compute/training-messages.ts';
import type { JobContext } from '../../jobs/job-handlers.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { BackboneDescription, BackboneFile } from '../../vision/types.ts';
import type { ItemDetails } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import { findRefinement, type Refinement } from '../models/refinement.ts';
import { sampleOf } from '../training/training-samples.ts';
import type { RefiningStore } from './refining.store.ts';

export interface RefiningParts {
  readonly items: ItemsService;
  readonly models: ModelsService;
  readonly blobs: BlobStore;
  readonly refinings: RefiningStore;
  readonly log: Logger;
}

/** Items of each kind that are judged again, so that nothing that was right becomes wrong. */
const knownLimit = 100;

interface Choice {
  readonly use: RefineImage['use'];
  readonly learned: boolean;
  readonly details: readonly ItemDetails[];
}

/** Spread evenly over the list. */
function someOf(ids: readonly string[], count: number): string[] {
  if (ids.length <= count) return [...ids];
  return Array.from({ length: count }, (_, index) => ids[Math.floor((index * ids.length) / count)] ?? '');
}

/** What was taught earlier first: it must stay right; then what the model was trained on, then verdicts that agree. */
async function chooseItems(parts: RefiningParts, parent: ModelRow, refinement: Refinement): Promise<Choice[]> {
  const { items, models, refinings } = parts;
  const chosen = new Set(refinement.itemIds);
  const fresh = (ids: readonly string[]): string[] => {
    const others = ids.filter((id) => !chosen.has(id));
    for (const id of others) chosen.add(id);
    return others;
  };
  const earlier: string[] = [];
  for (let model: ModelRow | undefined = parent; model; ) {
    const made: Refinement | undefined = findRefinement(model);
    earlier.push(...(made?.itemIds ?? []));
    model = made && (await models.findModel(made.parentId));
  }
  const taughtBefore = fresh(earlier);
  const learned = fresh((await models.listTrainingItemIds(parent.model_id)).sort());
  const agreed = fresh(await refinings.listAgreements(parent.model_id, knownLimit));
  const load = async (use: Choice['use'], isLearned: boolean, ids: readonly string[]): Promise<Choice> => ({
    use,
    learned: isLearned,
    details: (await items.findDetails(ids)).filter(({ item }) => item.user_result !== null),
  });
  return [
    await load('teach', false, refinement.itemIds),
    await load('known', false, someOf(taughtBefore, knownLimit)),
    await load('known', true, someOf(learned, knownLimit)),
    await load('known', false, agreed),
  ];
}

async function loadParent(parts: RefiningParts, { parentId }: Refinement) {
  const parent = await parts.models.findModel(parentId);
  if (!parent?.model_blob || !parent.backbone_blob)
    throw new AppError('model-not-available', { id: parentId, reason: 'it was deleted before it could be refined' });
  const description = JSON.parse(parent.backbone_description ?? '{}') as BackboneDescription;
  const onnx = await parts.blobs.get(parent.backbone_blob);
  const backbone: BackboneFile = { id: parent.backbone_id ?? '', onnx, description };
  return { parent, backbone, modelFile: await parts.blobs.get(parent.model_blob) };
}

/** Teaches a copy of the parent; run again after a crash it starts over: nothing of a half-made model is kept. */
export async function runRefinement(
  parts: RefiningParts,
  model: ModelRow,
  refinement: Refinement,
  { context, onProgress }: { context: JobContext; onProgress(progress: FitProgress): void },
): Promise<void> {
  const { models, blobs, log } = parts;
  const startedAt = performance.now();
  const { parent, backbone, modelFile } = await loadParent(parts, refinement);
  const choices = await chooseItems(parts, parent, refinement);
  const images = choices.flatMap(({ details, ...choice }) =>
    details.flatMap((item) => item.images.map((image) => ({ item, image, choice }))),
  );
  const outcome = await runRefining({
    modelFile,
    backbone,
    samples: images.map(({ item, image, choice }) => ({ ...sampleOf(item, image.name), ...choice })),
    options: {
      threshold: model.threshold,
      ignoreOuter: model.ignore_outer,
      minDetectedArea: model.min_detected_area,
    },
    loadImage: async (index) => blobs.get(images[index]?.image.blob ?? ''),
    onProgress,
    signal: context.signal,
    log,
  });
  const taught = choices.filter(({ use }) => use === 'teach').flatMap(({ details }) => details);
  const count = (result: 'OK' | 'NG'): number =>
    taught.filter(({ item }) => item.user_result === result).reduce((sum, one) => sum + one.images.length, 0);
  const { accuracy, precision, recall } = outcome.statistics;
  const changes = {
    status: 'ready' as const,
    status_text: ['Ready.', ...outcome.remarks].join(' '),
    image_blob: parent.image_blob,
    ok_img_count: parent.ok_img_count + count('OK'),
    ng_img_count: parent.ng_img_count + count('NG'),
    training_time: Math.max(1, Math.round((performance.now() - startedAt) / 1000)),
    ...{ accuracy, precision, recall },
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
