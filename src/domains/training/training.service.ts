import { uuidv7 } from 'uuidv7';
import { AppError } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say, storeMessages } from '../../messages/message.ts';
import type { Db, ItemRow, ModelRow } from '../../storage/database.ts';
import type { AlgorithmsService } from '../algorithms/algorithms.service.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { AnnotationsService } from '../annotations/annotations.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelView } from '../models/models.schemas.ts';
import { type ModelsService, trainingKey } from '../models/models.service.ts';
import { untrainedModel } from '../models/untrained-model.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import type { TrainRequestInput } from './training.schemas.ts';
import { insufficientTrainingData, planItems, planParameters } from './training-plan.ts';

export interface TrainingService {
  /** Makes a queued model; the training itself runs in the background. */
  train(algorithmId: string, request: TrainRequestInput): Promise<ModelView>;
  /** Stops a training that waits or runs; the model stays, as cancelled. */
  cancel(modelId: string): Promise<ModelView>;
}

export function createTrainingService(parts: {
  db: Db;
  items: ItemsService;
  annotations: AnnotationsService;
  models: ModelsService;
  algorithms: AlgorithmsService;
  targets: TargetsService;
  backbones: BackboneCatalogue;
  queue: JobQueue;
  checkLicense: () => Promise<void>;
}): TrainingService {
  const { db, items, annotations, models, algorithms, targets, backbones, queue } = parts;

  const requireRegions = async (algorithmId: string, chosen: readonly ItemRow[]): Promise<void> => {
    const defective = chosen.filter((item) => item.user_result === 'NG').map((item) => item.item_id);
    if ((await annotations.countRegions(defective)).length > 0) return;
    throw insufficientTrainingData(say('training.no-regions', { algorithm: algorithmId }));
  };

  return {
    async train(algorithmId, request) {
      await parts.checkLicense();
      const algorithm = algorithms.getAlgorithm(algorithmId);
      const params = planParameters(algorithm, request.override_params);
      await backbones.getBackbone(String(params['backbone'] ?? 'kensa'));
      const explicit = request.item_ids !== undefined;
      const requested = request.item_ids ?? (await items.listActiveTrainingIds());
      const chosen = planItems(algorithm, requested, await items.findItems(requested), explicit);
      if (algorithm.type === 'object_detection') await requireRegions(algorithm.id, chosen);
      const steps = await targets.getTrainingSteps();
      const modelId = uuidv7();
      const now = new Date().toISOString();
      await db.transaction().execute(async (trx) => {
        const version = await models.nextVersion(trx, algorithmId, steps.targetId);
        const row: Omit<ModelRow, 'seq'> = {
          ...emptyModel,
          model_id: modelId,
          name: request.name ?? `${algorithm.id} v${version}`,
          algorithm_id: algorithm.id,
          algorithm_type: algorithm.type,
          version,
          context_id: steps.targetId,
          params: JSON.stringify(params),
          steps: JSON.stringify(steps.steps),
          step_references: JSON.stringify(steps.references),
          seed: Number(params['seed'] ?? 0),
          created_at: now,
          updated_at: now,
        };
        await models.insertModel(
          trx,
          row,
          chosen.map((item) => item.item_id),
        );
        await queue.enqueue(trx, { kind: 'train', payload: { modelId }, key: trainingKey(modelId) });
      });
      queue.wake();
      return models.getModelView(modelId);
    },

    async cancel(modelId) {
      await db.transaction().execute(async (trx) => {
        const cancelled = { status: 'cancelled' as const, status_text: storeMessages([say('status.cancelled')]) };
        if (!(await models.updateTraining(trx, modelId, cancelled))) {
          const model = await models.requireModel(modelId, trx);
          const remedy = say('model.only-running-cancels');
          throw new AppError('model-not-ready', { id: modelId, status: model.status, remedy });
        }
        await queue.cancelByKey(trx, trainingKey(modelId));
      });
      queue.abort(trainingKey(modelId));
      return models.getModelView(modelId);
    },
  };
}

const emptyModel = {
  ...untrainedModel,
  ok_img_count: 0,
  ng_img_count: 0,
  threshold: 0.5,
  ignore_outer: 'none',
  min_detected_area: 0,
  refinement: null,
};
