import { AppError } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say } from '../../messages/message.ts';
import { nameOfStatus } from '../../messages/value-names.ts';
import type { Db, ModelRow, StationRow, Trx } from '../../storage/database.ts';
import { findImageFormat } from '../../vision/image/image-format.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemsService, NewItem, NewPredictions } from '../items/items.service.ts';
import type { ProbeImage } from '../items/upload.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { Assess } from './assess.ts';
import { replaceAssessment } from './assessment.store.ts';
import { predictKey } from './predict-handler.ts';
import type { UploadVerdicts } from './upload-verdicts.ts';

export type PredictionService = ReturnType<typeof createPredictionService>;

export interface StartedPredictions extends NewPredictions {
  /** The item with its verdict, where that was known when the item was stored. */
  findJudged(itemId: string): ItemDetails | undefined;
}

/** A line sends one image, or a few. More in one request are predicted when nobody waits for one of those. */
const MOST_AT_ONCE = 16;

export function createPredictionService(dependencies: {
  db: Db;
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
  queueLimit: number;
  probe: ProbeImage;
  verdicts: Pick<UploadVerdicts, 'inferUpload' | 'takeAll'>;
  assess: Assess;
  hooks: {
    /** Called in the transaction that stores the verdict. */
    onVerdict(trx: Trx, item: ItemDetails, by: { model: ModelRow; station?: StationRow }): Promise<void>;
    /** Called once the verdict is committed. */
    onDone(itemId: string): void;
  };
  checkLicense: () => Promise<void>;
}) {
  const { db, items, models, queue, queueLimit: limit, probe, verdicts, hooks } = dependencies;

  const requireReady = (modelId: string, model: ModelRow | undefined): ModelRow => {
    if (model?.status === 'ready') return model;
    const missing = say(modelId === 'active' ? 'model.none-active' : 'model.missing');
    const reason = model ? say('model.status', { status: nameOfStatus(model.status) }) : missing;
    throw new AppError('model-not-available', { id: modelId, reason });
  };

  /** @param targetId whose active model `active` stands for; undefined: the default target */
  const getReadyModel = async (modelId: string, targetId?: number): Promise<ModelRow> => {
    const isActive = modelId === 'active';
    const model = await (isActive ? models.findActiveModel(undefined, targetId) : models.findModel(modelId));
    return requireReady(modelId, model);
  };

  const refuseTooMany = (count: number): void => {
    if (count > limit) throw new AppError('too-many-items', { count, limit });
  };

  /** @throws AppError where `count` more items may not be queued now. */
  const checkRoom = async (count: number, trx?: Trx): Promise<void> => {
    refuseTooMany(count);
    const { waiting } = (await queue.counts(trx)).predict;
    if (waiting + count <= limit) return;
    const seconds = Math.max(1, Math.min(60, Math.ceil(waiting / 50)));
    throw new AppError('server-busy', { waiting, count, limit, seconds }, { retryAfterSeconds: seconds });
  };

  const enqueue = async (trx: Trx, modelId: string, itemIds: readonly string[], stationId?: string): Promise<void> => {
    const priority = itemIds.length > MOST_AT_ONCE ? 1 : 0;
    const jobs = itemIds.map((itemId) => {
      const payload = { itemId, modelId, ...(stationId === undefined ? {} : { stationId }) };
      return { kind: 'predict' as const, payload, key: predictKey(payload), priority };
    });
    await queue.enqueue(trx, jobs);
  };

  /** The verdict of the upload on an item. @returns undefined where the upload left no verdict by this model. */
  const findVerdict = async (trx: Trx, model: ModelRow, { itemId, images }: NewItem) => {
    const inferred = verdicts.takeAll(model, images);
    return inferred && { images, ...(await dependencies.assess(itemId, model, images, inferred, trx)) };
  };

  /** @param choose the model, in the transaction, before whose end it is not deleted; the station stays locked */
  const startPredictions = (
    choose: (trx: Trx) => Promise<{ model: ModelRow; station?: StationRow }>,
  ): StartedPredictions => {
    const known = new Map<string, NonNullable<Awaited<ReturnType<typeof findVerdict>>>>();
    const judged = new Map<string, ItemDetails>();
    let chosen: Awaited<ReturnType<typeof choose>>;
    return {
      async begin(trx, added) {
        refuseTooMany(added.length);
        chosen = await choose(trx);
        const { model, station } = chosen;
        for (const item of added.length > MOST_AT_ONCE ? [] : added) {
          const verdict = await findVerdict(trx, model, item);
          if (verdict) known.set(item.itemId, verdict);
        }
        const waiting = added.map(({ itemId }) => itemId).filter((itemId) => !known.has(itemId));
        if (waiting.length > 0) {
          await checkRoom(waiting.length, trx);
          await enqueue(trx, model.model_id, waiting, station?.station_id);
        }
        return new Map([...known].map(([itemId, { remarks }]) => [itemId, remarks]));
      },
      async storeVerdicts(trx, stored) {
        for (const item of stored) {
          const { item_id: itemId } = item;
          const verdict = known.get(itemId);
          if (!verdict) continue;
          const { assessment, parts, images } = verdict;
          const seq = await replaceAssessment(trx, assessment, parts);
          const shown = { row: { ...assessment, seq }, images: parts.map(({ score_layer: _, ...part }) => part) };
          const details = { item, images, annotations: [], assessments: [shown] };
          await hooks.onVerdict(trx, details, chosen);
          judged.set(itemId, details);
        }
      },
      committed() {
        for (const itemId of judged.keys()) hooks.onDone(itemId);
        queue.wake();
      },
      findJudged: (itemId) => judged.get(itemId),
    };
  };

  return {
    /** Queues predictions; replies before they are done. */
    async predict(modelId: string, itemIds: readonly string[]): Promise<{ model_version: string; item_ids: string[] }> {
      const distinct = [...new Set(itemIds)];
      await dependencies.checkLicense();
      const model = await getReadyModel(modelId);
      await checkRoom(distinct.length);
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

    /**
     * Queues what a model inspects as soon as it is ready, within the transaction that makes it so. It fills the queue by
     * half at most, so that images of the line find room.
     */
    async queueFirst(trx: Trx, modelId: string, itemIds: readonly string[]): Promise<void> {
      const { waiting } = (await queue.counts(trx)).predict;
      const room = Math.max(0, Math.floor(limit / 2) - waiting);
      const withImages = (await items.lockItems(trx, itemIds.slice(0, room))).filter(
        (item) => item.images_removed_at === null,
      );
      const ids = withImages.map((item) => item.item_id);
      if (ids.length === 0) return;
      await enqueue(trx, modelId, ids);
      await items.queueItems(trx, ids, modelId);
    },

    /**
     * Checks an image of an upload. For a prediction by a model, inference checks it as well.
     * @throws VisionError where the image is at fault, AppError where the model cannot predict it now
     */
    async checkImage(
      image: Uint8Array,
      asked: ModelRow | string | undefined,
      targetId?: number,
    ): ReturnType<ProbeImage> {
      const format = findImageFormat(image);
      if (asked === undefined || format === undefined) return probe(image);
      await dependencies.checkLicense();
      const model = typeof asked === 'string' ? await getReadyModel(asked, targetId) : asked;
      // Before the check, which waits for a compute process: a busy service refuses at once. Stations have asked already.
      if (asked !== model) await checkRoom(1);
      // Another process that took the job would infer the image again.
      if (!queue.worksAlone()) return probe(image);
      try {
        const { width, height } = await verdicts.inferUpload(model, image);
        return { format, width, height };
      } catch {
        // The probe says whether the image is at fault. The job says what else is.
        return probe(image);
      }
    },

    /** @throws AppError `server-busy` where no prediction may be queued now. */
    requireRoom: (): Promise<void> => checkRoom(1),

    /** The predictions of new items. @throws AppError where the model cannot predict; `begin` where there is no room. */
    async prepare(modelId: string, targetId?: number): Promise<StartedPredictions> {
      await dependencies.checkLicense();
      const { model_id: id } = await getReadyModel(modelId, targetId);
      return startPredictions(async (trx) => ({ model: requireReady(id, await models.holdModel(trx, id)) }));
    },

    /** The same for an item of a station, with a model that is chosen in the transaction that stores the item. */
    async prepareChoice(
      choose: (trx: Trx) => Promise<{ model: ModelRow; station: StationRow }>,
    ): Promise<StartedPredictions> {
      await dependencies.checkLicense();
      return startPredictions(choose);
    },
  };
}
