import { uuidv7 } from 'uuidv7';
import { AppError, fieldError, messageOf } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say, storeMessages } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { Db, ModelRow, Trx } from '../../storage/database.ts';
import { leavesNothing, type OuterMargins, parseIgnoreOuter } from '../../vision/anomaly-map/inspected-map.ts';
import { listNames } from '../../vision/engine-messages.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { ModelStore } from './model.store.ts';
import type { createModelView } from './model-view.ts';
import { untrainedModel } from './model-view.ts';
import type { ModelView, PredictParametersInput } from './models.schemas.ts';

export type ModelsService = ReturnType<typeof createModelsService>;

export function createModelsService(dependencies: {
  db: Db;
  audit: AuditService;
  store: ModelStore;
  queue: JobQueue;
  view: ReturnType<typeof createModelView>;
  /** @throws AppError where images of the items are gone; the others stay until the transaction ends. */
  requireImages(itemIds: readonly string[], trx: Trx): Promise<void>;
}) {
  const { db, audit, store, queue, view } = dependencies;

  /** `active` stands for the active model. @throws AppError where the model does not exist. */
  const requireModel = async (modelId: string, trx?: Trx): Promise<ModelRow> => {
    const model = await (modelId === 'active' ? store.findActiveModel(trx) : store.findModel(modelId, trx));
    if (model) return model;
    if (modelId !== 'active') throw new AppError('model-not-found', { ids: modelId });
    throw new AppError('model-not-available', { id: modelId, reason: say('model.none-active') });
  };

  /** Ids of models that exist, each once; `active` stands for the active one. @throws AppError naming the others. */
  const resolveModelIds = async (modelIds: readonly string[], trx?: Trx): Promise<string[]> => {
    const known = await store.listModelIds(trx);
    const missing = [...new Set(modelIds)].filter((modelId) => modelId !== 'active' && !known.includes(modelId));
    if (missing.length > 0) {
      const problems = missing.slice(0, 50).map((key) => ({ key, errors: [say('model.missing')] }));
      throw new AppError('model-not-found', { ids: listNames(missing, 3) }, { problems });
    }
    const active = modelIds.includes('active') ? (await requireModel('active', trx)).model_id : '';
    return [...new Set(modelIds.map((modelId) => (modelId === 'active' ? active : modelId)))];
  };

  const viewOf = async (model: ModelRow): Promise<ModelView> => {
    const verdicts = await store.countVerdicts([model.model_id]);
    return view(model, verdicts.get(model.model_id));
  };

  /** @throws AppError where the model was deleted meanwhile. */
  const change = async (
    act: 'model.parameters' | 'model.callback',
    modelId: string,
    changes: Parameters<ModelStore['updateModel']>[1],
    details: object,
  ): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      if (!(await store.updateModel(modelId, changes, trx))) throw new AppError('model-not-found', { ids: modelId });
      await audit.record(trx, act, [{ id: modelId, details }]);
    });
  };

  return {
    requireModel,
    viewOf,
    findModel: store.findModel,
    holdModel: store.holdModel,
    findActiveModel: store.findActiveModel,
    updateModel: store.updateModel,
    setCallback: (modelId: string, changes: { callback_url: string | null; callback_method: 'post' | 'get' }) =>
      change('model.callback', modelId, changes, changes),
    updateTraining: store.updateTraining,
    insertModel: store.insertModel,
    nextVersion: store.nextVersion,
    listModelIds: store.listModelIds,
    listTrainingItemIds: store.listTrainingItemIds,

    /**
     * Stores what a training made, unless the model was cancelled or deleted meanwhile. The model becomes active where
     * no model of its target is, or where the active one is `parentId`.
     * @returns whether it was stored.
     */
    async completeTraining(
      trx: Trx,
      modelId: string,
      changes: Parameters<ModelStore['updateTraining']>[1],
      parentId?: string,
    ): Promise<boolean> {
      if (!(await store.updateTraining(modelId, changes, trx))) return false;
      const { context_id: targetId } = await requireModel(modelId, trx);
      const active = await store.findActiveModel(trx, targetId);
      if (active === undefined || active.model_id === parentId) await store.activateModel(trx, modelId);
      return true;
    },

    async listModels(algorithmId?: string): Promise<ModelView[]> {
      const models = await store.listModels(algorithmId);
      const verdicts = await store.countVerdicts(models.map((model) => model.model_id));
      return models.map((model) => view(model, verdicts.get(model.model_id)));
    },

    getModelView: async (modelId: string): Promise<ModelView> => viewOf(await requireModel(modelId)),

    resolveModelIds,

    /** All or none; trainings that run are stopped. */
    async deleteModels(modelIds: readonly string[]): Promise<string[]> {
      if (modelIds.length === 0) throw fieldError('invalid-request', 'model_ids', say('field.empty'));
      const deleted = await db.transaction().execute(async (trx) => {
        const ids = await resolveModelIds(modelIds, trx);
        for (const modelId of ids) {
          await store.deleteModel(trx, modelId);
          await queue.cancelByKey(trx, trainingKey(modelId));
        }
        await audit.record(
          trx,
          'model.delete',
          ids.map((id) => ({ id })),
        );
        return ids;
      });
      for (const modelId of deleted) queue.abort(trainingKey(modelId));
      return deleted;
    },

    /** Stores a model that waits to be made from these items, with its job. @param describe its row, by its version. */
    async queueModel(
      kind: 'train' | 'refine',
      { algorithmId, targetId, itemIds }: { algorithmId: string; targetId: number; itemIds: readonly string[] },
      describe: (version: number) => Omit<ModelRow, 'seq' | 'model_id' | 'version' | keyof typeof untrainedModel>,
    ): Promise<ModelView> {
      const modelId = uuidv7();
      await db.transaction().execute(async (trx) => {
        const version = await store.nextVersion(trx, algorithmId, targetId);
        const row = { ...describe(version), ...untrainedModel, model_id: modelId, version };
        await store.insertModel(trx, row, itemIds);
        await dependencies.requireImages(itemIds, trx);
        await queue.enqueue(trx, { kind, payload: { modelId }, key: trainingKey(modelId) });
        const { name, algorithm_id: algorithm } = row;
        const details = { name, algorithm, version, items: itemIds.length };
        await audit.record(trx, `model.${kind}`, [{ id: modelId, details }]);
      });
      queue.wake();
      return viewOf(await requireModel(modelId));
    },

    /** Stops a training that waits or runs; the model stays, as cancelled. */
    async cancelTraining(id: string): Promise<ModelView> {
      const { model_id: modelId } = await requireModel(id);
      await db.transaction().execute(async (trx) => {
        const cancelled = { status: 'cancelled' as const, status_text: storeMessages([say('status.cancelled')]) };
        if (!(await store.updateTraining(modelId, cancelled, trx))) {
          const { status } = await requireModel(modelId, trx);
          throw new AppError('model-not-ready', {
            id: modelId,
            status: nameOfStatus(status),
            remedy: say('model.only-running-cancels'),
          });
        }
        await queue.cancelByKey(trx, trainingKey(modelId));
        await audit.record(trx, 'model.cancel', [{ id: modelId }]);
      });
      queue.abort(trainingKey(modelId));
      return viewOf(await requireModel(modelId));
    },

    async setPredictParameters(
      modelId: string,
      input: PredictParametersInput,
    ): Promise<Required<PredictParametersInput>> {
      const model = await requireModel(modelId);
      if (input.ignore_outer !== undefined)
        checkIgnoreOuter(input.ignore_outer, await store.listTrainingSizes(model.model_id));
      const parameters = {
        threshold: input.threshold ?? model.threshold,
        ignore_outer: input.ignore_outer ?? model.ignore_outer,
        min_detected_area: input.min_detected_area ?? model.min_detected_area,
      };
      const { threshold, ignore_outer, min_detected_area } = model;
      const details = { before: { threshold, ignore_outer, min_detected_area }, after: parameters };
      await change('model.parameters', model.model_id, parameters, details);
      return parameters;
    },

    async activate(modelId: string): Promise<ModelView> {
      await db.transaction().execute(async (trx) => {
        const model = await requireModel(modelId, trx);
        if (model.status !== 'ready') {
          const remedy = say('model.only-ready');
          throw new AppError('model-not-ready', { id: modelId, status: nameOfStatus(model.status), remedy });
        }
        const before = await store.findActiveModel(trx, model.context_id);
        await store.activateModel(trx, model.model_id);
        const details = { name: model.name, version: model.version, before: before?.model_id ?? null };
        await audit.record(trx, 'model.activate', [{ id: model.model_id, details }]);
      });
      return viewOf(await requireModel(modelId));
    },
  };
}

/** @param sizes of images that the model is made for: the margins must leave a part of each */
export function checkIgnoreOuter(text: string, sizes: readonly { width: number; height: number }[] = []): void {
  let margins: OuterMargins;
  try {
    margins = parseIgnoreOuter(text);
  } catch (error) {
    throw fieldError('invalid-parameters', 'ignore_outer', messageOf(error));
  }
  const blind = sizes.find(({ width, height }) => leavesNothing(margins, width, height));
  if (!blind) return;
  const { width, height } = blind;
  throw fieldError('invalid-parameters', 'ignore_outer', say('model.margins-leave-nothing', { text, width, height }));
}

/** The job of a training, so that it can be cancelled. */
const trainingKey = (modelId: string): string => `train:${modelId}`;
