import { AppError } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { Db, ModelRow, Trx } from '../../storage/database.ts';
import { findImageFormat } from '../../vision/image/image-format.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ProbeImage } from '../items/upload.ts';
import type { ModelsService } from '../models/models.service.ts';
import { predictKey } from './predict-handler.ts';
import type { UploadVerdicts } from './upload-verdicts.ts';

export type PredictionService = ReturnType<typeof createPredictionService>;

/** A line sends one image, or a few. More in one request are predicted when nobody waits for one of those. */
const MOST_AT_ONCE = 16;

export function createPredictionService(dependencies: {
  db: Db;
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
  queueLimit: number;
  probe: ProbeImage;
  inferUpload: UploadVerdicts['inferUpload'];
  checkLicense: () => Promise<void>;
}) {
  const { db, items, models, queue, queueLimit: limit, probe, inferUpload } = dependencies;

  /** @param targetId whose active model `active` stands for; undefined: the default target */
  const getReadyModel = async (modelId: string, trx?: Trx, targetId?: number): Promise<ModelRow> => {
    const model = await (modelId === 'active' ? models.findActiveModel(trx, targetId) : models.findModel(modelId, trx));
    if (model?.status === 'ready') return model;
    const missing = say(modelId === 'active' ? 'model.none-active' : 'model.missing');
    const reason = model ? say('model.status', { status: nameOfStatus(model.status) }) : missing;
    throw new AppError('model-not-available', { id: modelId, reason });
  };

  /** @throws AppError where `count` more items may not be queued now. */
  const checkRoom = async (count: number): Promise<void> => {
    if (count > limit) throw new AppError('too-many-items', { count, limit });
    const { waiting } = (await queue.counts()).predict;
    if (waiting + count <= limit) return;
    const seconds = Math.max(1, Math.min(60, Math.ceil(waiting / 50)));
    throw new AppError('server-busy', { waiting, count, limit, seconds }, { retryAfterSeconds: seconds });
  };

  /** @returns the model, which can predict `count` more items now. */
  const admit = async (modelId: string, count: number, targetId?: number): Promise<ModelRow> => {
    await dependencies.checkLicense();
    const model = await getReadyModel(modelId, undefined, targetId);
    await checkRoom(count);
    return model;
  };

  const enqueue = async (trx: Trx, modelId: string, itemIds: readonly string[], stationId?: string): Promise<void> => {
    const priority = itemIds.length > MOST_AT_ONCE ? 1 : 0;
    const jobs = itemIds.map((itemId) => {
      const payload = { itemId, modelId, ...(stationId === undefined ? {} : { stationId }) };
      return { kind: 'predict' as const, payload, key: predictKey(payload), priority };
    });
    await queue.enqueue(trx, jobs);
  };

  return {
    /** Queues predictions; replies before they are done. */
    async predict(modelId: string, itemIds: readonly string[]): Promise<{ model_version: string; item_ids: string[] }> {
      const distinct = [...new Set(itemIds)];
      const model = await admit(modelId, distinct.length);
      await db.transaction().execute(async (trx) => {
        await items.requireItems(distinct, trx);
        // Jobs before items, as when a prediction ends: two transactions never wait for each other.
        await enqueue(trx, model.model_id, distinct);
        await items.queueItems(trx, distinct, model.model_id);
        await items.requireImages(distinct, trx);
      });
      queue.wake();
      return { model_version: String(model.version), item_ids: distinct };
    },

    /** Queues what a model inspects as soon as it is ready, within the transaction that makes it so. */
    async queueFirst(trx: Trx, modelId: string, itemIds: readonly string[]): Promise<void> {
      const withImages = (await items.lockItems(trx, itemIds)).filter((item) => item.images_removed_at === null);
      const ids = withImages.map((item) => item.item_id);
      if (ids.length === 0) return;
      await enqueue(trx, modelId, ids);
      await items.queueItems(trx, ids, modelId);
    },

    /**
     * Checks an image of an upload. For a prediction by a model, inference checks it as well.
     * @throws VisionError where the image is at fault, AppError where the model cannot predict it now
     */
    async checkImage(image: Uint8Array, modelId: string | undefined, targetId?: number): ReturnType<ProbeImage> {
      const format = findImageFormat(image);
      if (modelId === undefined || format === undefined) return probe(image);
      // Before the check, which waits for a compute process: a busy service refuses at once.
      const model = await admit(modelId, 1, targetId);
      // Another process that took the job would infer the image again.
      if (!queue.worksAlone()) return probe(image);
      try {
        const { width, height } = await inferUpload(model, image);
        return { format, width, height };
      } catch {
        // The probe says whether the image is at fault. The job says what else is.
        return probe(image);
      }
    },

    /**
     * Checks that `count` more items may be queued now.
     * @returns a function that queues new items within the transaction that stores them.
     */
    async prepare(
      modelId: string,
      count: number,
      targetId?: number,
    ): Promise<(trx: Trx, itemIds: readonly string[]) => Promise<void>> {
      const model = await admit(modelId, count, targetId);
      return (trx, itemIds) => enqueue(trx, model.model_id, itemIds);
    },

    /** The same for an item of a station, with a model that is chosen in the transaction that stores the item. */
    async prepareChoice(
      stationId: string,
      choose: (trx: Trx) => Promise<string>,
    ): Promise<(trx: Trx, itemIds: string[]) => Promise<void>> {
      await dependencies.checkLicense();
      await checkRoom(1);
      return async (trx, itemIds) => {
        const model = await getReadyModel(await choose(trx), trx);
        await enqueue(trx, model.model_id, itemIds, stationId);
      };
    },
  };
}
