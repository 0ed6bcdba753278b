import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import type { JobHandler } from '../../jobs/job-handlers.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { BlobHash } from '../../storage/blobs/blob-store.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { ItemImageRow } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import { type AssessedImage, assessItem } from './assess-item.ts';
import type { AssessmentStore } from './assessment.store.ts';
import { describeRemarks } from './describe-remarks.ts';
import type { PhotoJudge } from './photo-judge.ts';
import { createPredictionEnding, predictKey } from './prediction-ending.ts';

export interface PredictionService {
  /** The id that `active` or an id stands for. @throws AppError `model-not-found`. */
  resolveModelId(modelId: string): Promise<string>;
  /** Queues predictions; replies before they are done. */
  predict(modelId: string, itemIds: readonly string[]): Promise<{ modelVersion: string; itemIds: string[] }>;
  /**
   * Checks that `count` more items may be queued now; the function queues new items within the transaction that stores them.
   * @param photos of the items.
   */
  prepare(
    modelId: string,
    count: number,
    photos: readonly BlobHash[],
  ): Promise<(trx: Trx, itemIds: readonly string[]) => Promise<void>>;
  /** A photo that is about to be queued, so that the engine need not wait for it to be read again. */
  keepPhoto(blob: BlobHash, photo: Uint8Array): void;
  readonly handler: JobHandler<'predict'>;
}

/** A line sends one photo, or a few. More in one request are looked at when nobody waits for one of those. */
const MOST_AT_ONCE = 16;

/** Called inside the transaction that stores a verdict. */
export type OnAssessed = (trx: Trx, model: ModelRow, itemId: string) => Promise<void>;

export function createPredictionService(parts: {
  db: Db;
  store: AssessmentStore;
  items: ItemsService;
  models: ModelsService;
  labels: LabelsService;
  queue: JobQueue;
  judge: PhotoJudge;
  log: Logger;
  queueLimit: number;
  onAssessed: OnAssessed;
  checkLicense: () => Promise<void>;
}): PredictionService {
  const { db, items, models, queue, judge } = parts;

  const getReadyModel = async (modelId: string): Promise<ModelRow> => {
    const model = await (modelId === 'active' ? models.findActiveModel() : models.findModel(modelId));
    if (!model) {
      const reason = modelId === 'active' ? 'no model is active' : 'there is no such model';
      throw new AppError('model-not-available', { id: modelId, reason });
    }
    if (model.status !== 'ready') {
      throw new AppError('model-not-available', { id: modelId, reason: `its status is "${model.status}"` });
    }
    return model;
  };

  const admit = async (count: number): Promise<void> => {
    const { waiting } = (await queue.counts()).predict;
    if (waiting + count <= parts.queueLimit) return;
    const seconds = Math.max(1, Math.min(60, Math.ceil(waiting / 50)));
    const values = { waiting, count, limit: parts.queueLimit, seconds };
    throw new AppError('server-busy', values, { retryAfterSeconds: seconds });
  };

  const enqueue = async (trx: Trx, model: ModelRow, itemIds: readonly string[]): Promise<void> => {
    const { model_id: modelId } = model;
    const priority = itemIds.length > MOST_AT_ONCE ? 1 : 0;
    const jobs = itemIds.map((itemId) => ({
      ...{ kind: 'predict' as const, payload: { itemId, modelId }, priority },
      key: predictKey({ itemId, modelId }),
    }));
    await queue.enqueueMany(trx, jobs);
  };

  return {
    async resolveModelId(modelId) {
      return (await models.requireModel(modelId)).model_id;
    },
    async predict(modelId, itemIds) {
      await parts.checkLicense();
      const distinct = [...new Set(itemIds)];
      const model = await getReadyModel(modelId);
      await items.requireItems(distinct);
      await admit(distinct.length);
      await judge.beginEarly(model, async (most) => {
        const images = await items.findImages(distinct.slice(0, most));
        return images.map((image) => image.blob);
      });
      await db.transaction().execute(async (trx) => {
        await items.requireItems(distinct, trx);
        // Jobs before items, as when a prediction ends: two transactions never wait for each other.
        await enqueue(trx, model, distinct);
        await items.queueItems(trx, distinct, model.model_id);
      });
      queue.wake('predict');
      return { modelVersion: String(model.version), itemIds: distinct };
    },
    async prepare(modelId, count, photos) {
      await parts.checkLicense();
      const model = await models.requireModel(modelId);
      if (model.status !== 'ready') {
        const remedy = 'only a ready model can predict.';
        throw new AppError('model-not-ready', { id: modelId, status: model.status, remedy });
      }
      await admit(count);
      await judge.beginEarly(model, async () => photos);
      return (trx, itemIds) => enqueue(trx, model, itemIds);
    },
    keepPhoto: judge.keep,
    handler: createPredictHandler(parts),
  };
}

/** Shorter work goes from queued to done: a commit to say that it runs would take as long as the work itself. */
const MARK_AFTER_MS = 250;

async function whileMarked<T>(mark: () => Promise<void>, work: Promise<T>): Promise<T> {
  let marking: Promise<void> | undefined;
  const timer = setTimeout(() => {
    // Only a remark: where it cannot be stored, the end of the work says what is wrong.
    marking = mark().catch(() => {});
  }, MARK_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    await marking;
  }
}

function createPredictHandler(parts: Parameters<typeof createPredictionService>[0]): JobHandler<'predict'> {
  const { items, models, labels, store, judge } = parts;
  const end = createPredictionEnding(parts);
  const assessImages = (model: ModelRow, images: readonly ItemImageRow[]): Promise<AssessedImage[]> =>
    Promise.all(
      images.map(async ({ position, blob }) => ({ position, photo: blob, ...(await judge.judge(model, blob)) })),
    );
  return {
    kind: 'predict',
    async run({ itemId, modelId }, context) {
      const stored = await items.findImages([itemId]);
      // The item is gone: none is without an image.
      if (stored.length === 0) return;
      const model = await models.findModel(modelId);
      if (model?.status !== 'ready') {
        return context.completeWith(async (trx) => void (await end(trx, { itemId, modelId }, { status: 'withdrawn' })));
      }
      const images = await whileMarked(() => items.markProcessing(itemId), assessImages(model, stored));
      const remark = describeRemarks(images, stored);
      if (remark) parts.log.warn({ item: itemId, model: modelId, remark }, 'preprocessing failed on a photo');
      const hasLabels = images.some(({ verdict }) => verdict.label !== null);
      const names = new Map(hasLabels ? (await labels.listLabels()).map(({ label, name }) => [label, name]) : []);
      const labelOf = (label: number): string => names.get(label) ?? String(label);
      const predictedAt = new Date().toISOString();
      const rows = assessItem({ itemId, modelId }, images, labelOf, { threshold: model.threshold, predictedAt });
      await context.completeWith(async (trx) => {
        // Item or model may have been deleted while the engine looked at the image.
        const still = await models.findModel(modelId, trx);
        const how = still ? ({ status: 'done', text: remark } as const) : ({ status: 'withdrawn' } as const);
        const exists = await end(trx, { itemId, modelId }, how);
        if (!still || !exists) return;
        await store.replaceAssessment(trx, rows.assessment, rows.images);
        await parts.onAssessed(trx, still, itemId);
      });
      // The callback that may have been queued with the verdict.
      if (model.callback_url !== null) parts.queue.wake('deliver');
    },
    async onDead({ itemId, modelId }, error, trx) {
      await end(trx, { itemId, modelId }, { status: 'failed', text: error.message });
    },
  };
}
