import { AppError } from '../../errors.ts';
import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import { say } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ItemRow, ModelRow } from '../../storage/database.ts';
import { algorithms, findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import type { UnusableImage } from '../../vision/image/unusable-image.ts';
import { getAlgorithm } from '../algorithms/algorithms.service.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { AnnotationsService } from '../annotations/annotations.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { Refinement } from '../models/model-view.ts';
import type { ModelView } from '../models/models.schemas.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import { countLearnedItems, findOddities, type TrainingImage } from './find-oddities.ts';
import { judgedLimit } from './make-model.ts';
import type { RefiningStore } from './refining.store.ts';
import type {
  ReadinessRequestInput,
  ReadinessView,
  RefineRequestInput,
  TrainRequestInput,
} from './training.schemas.ts';
import {
  describeItems,
  groupByVerdict,
  insufficientTrainingData,
  planItems,
  planParameters,
  refuseMixedTargets,
} from './training-plan.ts';

export type TrainingService = ReturnType<typeof createTrainingService>;

const odditiesShown = 50;
/** Images that are decoded: a set without contrast shows in any few of them. */
const imagesDecoded = 12;
/** Corrections of one refinement. */
const mostCorrections = 200;

/** Makes queued models, which are trained or refined in the background. */
export function createTrainingService(dependencies: {
  items: ItemsService;
  annotations: AnnotationsService;
  models: ModelsService;
  targets: TargetsService;
  backbones: BackboneCatalogue;
  refinings: RefiningStore;
  blobs: Pick<BlobStore, 'get'>;
  pool: Pick<ComputePool, 'run'>;
  checkLicense: () => Promise<void>;
}) {
  const { items, annotations, models, targets, backbones, refinings, blobs, pool, checkLicense } = dependencies;

  /** Why there is nothing to refine the model with. */
  const nothingJudged = async ({ model_id: modelId, context_id: targetId }: ModelRow): Promise<AppError> => {
    const judged = await items.listJudgedIds(targetId, judgedLimit);
    const count = judged.length === 0 ? 0 : await refinings.countUnseen(modelId, judged);
    const reason = count > 0 ? say('refining.not-inspected', { count }) : say('refining.nothing-judged');
    return new AppError('nothing-to-teach', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
  };

  const loadImages = async (assessed: readonly ItemRow[]): Promise<TrainingImage[]> => {
    const byId = new Map(assessed.map((item) => [item.item_id, item]));
    const rows = await items.findImages([...byId.keys()]);
    return rows.flatMap(({ item_id: itemId, blob, width, height }) => {
      const item = byId.get(itemId);
      return item ? [{ itemId, itemName: item.name, good: item.user_result === 'OK', blob, width, height }] : [];
    });
  };

  /** Why nothing can be learned from some of the decoded images, by hash. */
  const findUnusable = async (images: readonly TrainingImage[]): Promise<Map<string, UnusableImage | undefined>> => {
    const distinct = [...new Set(images.filter(({ good }) => good).map(({ blob }) => blob))].slice(0, imagesDecoded);
    const reasons = await Promise.all(
      distinct.map(async (blob) => pool.run({ kind: 'unusable', image: await blobs.get(blob) })),
    );
    return new Map(distinct.map((blob, index) => [blob, reasons[index]]));
  };

  return {
    async train(algorithmId: string, request: TrainRequestInput): Promise<ModelView> {
      await checkLicense();
      const algorithm = getAlgorithm(algorithmId);
      const params = planParameters(algorithm, request.override_params);
      await backbones.getBackbone(String(params['backbone'] ?? 'kensa'));
      const explicit = request.item_ids !== undefined;
      const { targetId, steps, references } = await targets.getTrainingSteps(request.target_id);
      const requested = request.item_ids ?? (await items.listActiveTrainingIds(targetId));
      const chosen = planItems(algorithm, requested, await items.findItems(requested), explicit);
      if (request.mix_targets !== true) refuseMixedTargets(chosen, request.target_id);
      const defective = chosen.filter((item) => item.user_result === 'NG').map((item) => item.item_id);
      if (algorithm.type === 'object_detection' && (await annotations.countRegions(defective)).length === 0) {
        throw insufficientTrainingData(say('training.no-rectangle'));
      }
      const now = new Date().toISOString();
      const itemIds = chosen.map((item) => item.item_id);
      return models.queueModel('train', { algorithmId, targetId, itemIds }, (version) => ({
        name: request.name ?? `${algorithm.id} v${version}`,
        algorithm_id: algorithm.id,
        algorithm_type: algorithm.type,
        context_id: targetId,
        params: JSON.stringify(params),
        steps: JSON.stringify(steps),
        step_references: JSON.stringify(references),
        seed: Number(params['seed'] ?? 0),
        ok_img_count: 0,
        ng_img_count: 0,
        threshold: 0.5,
        ignore_outer: 'none',
        min_detected_area: 0,
        refinement: null,
        created_at: now,
        updated_at: now,
      }));
    },

    /** Makes a new version of the model with corrections. */
    async refine(modelId: string, request: RefineRequestInput): Promise<ModelView> {
      await checkLicense();
      const model = await models.requireModel(modelId);
      const { seq: _, ...parent } = model;
      const { model_id: parentId, algorithm_id: algorithmId, context_id: targetId } = parent;
      if (parent.status !== 'ready') {
        throw new AppError('model-state-conflict', { id: parentId, status: nameOfStatus(parent.status) });
      }
      if (!findAlgorithm(algorithmId)) {
        const known = algorithms.map(({ id }) => id).join(', ');
        throw new AppError('refining-not-supported', { algorithm: algorithmId, known });
      }
      const ids = request.item_ids ?? (await refinings.listDisagreements(model, mostCorrections));
      if (ids.length === 0) throw await nothingJudged(model);
      checkCorrections(await items.requireItems(ids));
      const itemIds = [...new Set([...(await models.listTrainingItemIds(parentId)), ...ids])];
      const refinement: Refinement = { parentId, itemIds: ids, activate: request.activate ?? false };
      const isNumbered = parent.name === `${algorithmId} v${parent.version}`;
      const now = new Date().toISOString();
      // The callback is not inherited: deliveries would be signed with a secret that the receiver does not know.
      return models.queueModel('refine', { algorithmId, targetId, itemIds }, (version) => ({
        ...parent,
        name: request.name ?? (isNumbered ? `${algorithmId} v${version}` : parent.name),
        refinement: JSON.stringify(refinement),
        created_at: now,
        updated_at: now,
      }));
    },

    /** What a training with these items would learn from, and what is unusual about them. */
    async checkReadiness(algorithmId: string, request: ReadinessRequestInput): Promise<ReadinessView> {
      getAlgorithm(algorithmId);
      const { item_ids: requested } = request;
      const { targetId } = await targets.getTrainingSteps(request.target_id);
      const ids = requested === undefined ? await items.listActiveTrainingIds(targetId) : [...new Set(requested)];
      const found = requested === undefined ? await items.findItems(ids) : await items.requireItems(ids);
      items.refuseRemovedImages(found);
      const { good, defective, unjudged } = groupByVerdict(found);
      const images = await loadImages([...good, ...defective]);
      const learned = countLearnedItems(images);
      const oddities = findOddities(images, await findUnusable(images));
      return {
        good: good.length,
        ng: defective.length,
        unjudged: unjudged.length,
        images: images.length,
        // The conformal quantile is read off n held-out scores, one for each item, down to a rate of 1 / (n + 1).
        supported_false_alarm_rate: learned === 0 ? null : 1 / (learned + 1),
        regions: await annotations.countRegions(defective.map((item) => item.item_id)),
        oddities: oddities.slice(0, odditiesShown),
        oddity_count: oddities.length,
      };
    },
  };
}

/** A refinement needs items with a verdict of a person. */
function checkCorrections(found: readonly ItemRow[]): void {
  const unjudged = groupByVerdict(found).unjudged.map((item) => item.item_id);
  if (unjudged.length === 0) return;
  const problems = describeItems(unjudged, 'item.unjudged');
  const reason = problems.flatMap(({ errors }) => errors);
  throw new AppError('nothing-to-teach', { reason }, { problems });
}
