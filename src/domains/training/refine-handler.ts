import { AppError } from '../../errors.ts';
import type { RefineImage } from '../../jobs/compute/messages.ts';
import { say } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { BackboneDescription } from '../../vision/types.ts';
import type { ItemsService } from '../items/items.service.ts';
import { findRefinement, type Refinement } from '../models/model-view.ts';
import type { ModelsService } from '../models/models.service.ts';
import { judgedLimit, type MakeModel, samplesOf } from './make-model.ts';
import type { RefiningStore } from './refining.store.ts';

interface Dependencies {
  readonly items: ItemsService;
  readonly models: ModelsService;
  readonly blobs: BlobStore;
  readonly refinings: RefiningStore;
}

/** Items of each kind that are inferred again, so that no right verdict becomes wrong. */
const KNOWN_LIMIT = 100;

/** Makes a copy of the model's parent with the corrections in it. */
export function createRefiner(dependencies: Dependencies): MakeModel {
  const { models, blobs } = dependencies;
  return async (model, compute) => {
    const refinement = findRefinement(model);
    if (!refinement) throw new Error(`Model ${model.model_id} is not a refinement.`);
    const { parentId } = refinement;
    const parent = await models.findModel(parentId);
    if (!parent?.model_blob || !parent.backbone_blob) {
      throw new AppError('model-not-available', { id: parentId, reason: say('model.deleted-before-refining') });
    }
    const samples = await chooseSamples(dependencies, parent, refinement);
    const outcome = await compute({
      kind: 'refine',
      modelFile: await blobs.get(parent.model_blob),
      backbone: {
        id: parent.backbone_id ?? '',
        onnx: await blobs.get(parent.backbone_blob),
        description: JSON.parse(parent.backbone_description ?? '{}') as BackboneDescription,
      },
      samples,
      options: {
        threshold: model.threshold,
        ignoreOuter: model.ignore_outer,
        minDetectedArea: model.min_detected_area,
      },
    });
    const corrections = samples.filter(({ use }) => use === 'correction');
    const good = corrections.filter((sample) => sample.good).length;
    return {
      outcome,
      columns: {
        image_blob: parent.image_blob,
        ok_img_count: parent.ok_img_count + good,
        ng_img_count: parent.ng_img_count + corrections.length - good,
        backbone_id: parent.backbone_id,
        backbone_blob: parent.backbone_blob,
        backbone_description: parent.backbone_description,
      },
      takesPlaceOf: refinement.activate ? parentId : undefined,
      inspects: await dependencies.refinings.listJudged(parentId, judgedLimit),
    };
  };
}

/** The corrections, and items that must stay right: of earlier refinements, of the training, and right verdicts. */
async function chooseSamples(
  dependencies: Dependencies,
  parent: ModelRow,
  refinement: Refinement,
): Promise<RefineImage[]> {
  const { items, models, refinings } = dependencies;
  const chosen = new Set<string>();
  const samples: RefineImage[] = [];
  const add = async (ids: readonly string[], role: Pick<RefineImage, 'use' | 'learned'>): Promise<void> => {
    const details = await items.findDetails(ids);
    const assessed = details.filter(({ item }) => item.user_result !== null && item.images_removed_at === null);
    samples.push(...samplesOf(assessed).map((sample) => ({ ...sample, ...role })));
  };
  const notChosen = (ids: readonly string[]): string[] => {
    const others = ids.filter((id) => !chosen.has(id));
    for (const id of others) chosen.add(id);
    return others;
  };
  const corrected = await listEarlierCorrections(models, parent);
  const learned = (await models.listTrainingItemIds(parent.model_id)).sort();
  const agreed = await refinings.listAgreements(parent.model_id, KNOWN_LIMIT);
  await add(notChosen(refinement.itemIds), { use: 'correction', learned: false });
  await add(spread(notChosen(corrected), KNOWN_LIMIT), { use: 'known', learned: false });
  await add(spread(notChosen(learned), KNOWN_LIMIT), { use: 'known', learned: true });
  await add(notChosen(agreed), { use: 'known', learned: false });
  return samples;
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
