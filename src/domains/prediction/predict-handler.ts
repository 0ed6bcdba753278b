import { messageOf } from '../../errors.ts';
import type { JobHandler } from '../../jobs/job-handlers.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { ItemImageRow, ModelRow, Trx } from '../../storage/database.ts';
import type { PredictionEnd } from '../items/item-status.store.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { Assess } from './assess.ts';
import { type AssessedImage, replaceAssessment } from './assessment.store.ts';
import type { UploadVerdicts } from './upload-verdicts.ts';

type Prediction = JobPayloads['predict'];

interface Dependencies {
  readonly items: ItemsService;
  readonly models: ModelsService;
  readonly queue: JobQueue;
  readonly verdicts: UploadVerdicts;
  readonly assess: Assess;
  /** Called inside the transaction that stores a verdict. */
  onAssessed(trx: Trx, model: ModelRow, itemId: string): Promise<void>;
  /** Called inside the transaction that ends an inspection of a station, with a verdict or without. */
  onInspected(trx: Trx, prediction: Prediction & { readonly stationId: string }): Promise<void>;
  /** Called once the verdict is committed. */
  onDone(itemId: string): void;
}

/** Shorter work goes from queued to done: a commit to say that it runs would take as long as the work itself. */
const MARK_AFTER_MS = 250;

export const predictKey = ({ modelId, itemId }: Prediction): string => `predict:${modelId}:${itemId}`;

/** Infers the images of an item and stores its verdict. */
export function createPredictHandler(dependencies: Dependencies): JobHandler<'predict'> {
  const { items, models, queue } = dependencies;

  /** Records on the item that one of its predictions has ended, and tells the station that asked for it. */
  const endPrediction = async (trx: Trx, prediction: Prediction, end: PredictionEnd): Promise<void> => {
    await items.endPrediction(trx, prediction, end, async () => {
      const modelIds = await models.listModelIds(trx);
      return queue.hasOpen(
        trx,
        modelIds.map((modelId) => predictKey({ ...prediction, modelId })),
      );
    });
    const { stationId } = prediction;
    if (stationId !== undefined) await dependencies.onInspected(trx, { ...prediction, stationId });
  };

  return {
    async run(prediction, context) {
      const { itemId, modelId } = prediction;
      const stored = await items.findImages([itemId]);
      // Every item has an image: this one was deleted.
      if (stored.length === 0) return;
      const model = await models.findModel(modelId);
      if (model?.status !== 'ready') {
        return context.completeWith((trx) => endPrediction(trx, prediction, { status: 'withdrawn' }));
      }
      const images = await whileMarked(() => items.markProcessing(itemId), inferImages(dependencies, model, stored));
      const { assessment, parts, remarks } = await dependencies.assess(itemId, model, stored, images);
      await context.completeWith(async (trx) => {
        // Item or model may have been deleted meanwhile.
        const current = await models.findModel(modelId, trx);
        if (!current) return endPrediction(trx, prediction, { status: 'withdrawn' });
        if ((await items.findItems([itemId], trx)).length === 0) return;
        // The verdict before the status: like a deletion of the model, it locks the model before the item.
        await replaceAssessment(trx, assessment, parts);
        await endPrediction(trx, prediction, { status: 'done', messages: remarks });
        await dependencies.onAssessed(trx, current, itemId);
      });
      dependencies.onDone(itemId);
      // A callback may have been queued with the verdict.
      if (model.callback_url !== null || prediction.stationId !== undefined) queue.wake();
    },
    onDead: (prediction, error, trx) =>
      endPrediction(trx, prediction, { status: 'failed', messages: [messageOf(error)] }),
  };
}

/** @throws VisionError where an image or the model is at fault, AppError `compute-failed` or `storage-damaged` otherwise. */
function inferImages(
  { verdicts }: Dependencies,
  model: ModelRow,
  images: readonly ItemImageRow[],
): Promise<AssessedImage[]> {
  return Promise.all(
    images.map(async ({ position, blob }) => ({ position, blob, ...(await verdicts.inferBlob(model, blob)) })),
  );
}

async function whileMarked<T>(mark: () => Promise<void>, work: Promise<T>): Promise<T> {
  let marking: Promise<void> | undefined;
  const timer = setTimeout(() => {
    // For people only: where it cannot be stored, the end of the work says what is wrong.
    marking = mark().catch(() => {});
  }, MARK_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    await marking;
  }
}
