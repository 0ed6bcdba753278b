import type { Logger } from 'pino';
import { messageOf } from '../../errors.ts';
import type { RefineOrder, TrainingImage, TrainingOutcome, TrainOrder } from '../../jobs/compute/messages.ts';
import { runTraining } from '../../jobs/compute/run-training.ts';
import type { JobHandler } from '../../jobs/job-handlers.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { PredictionService } from '../prediction/prediction.service.ts';

/** A new model inspects so many of the items that people judged, so that they see what it changes and can refine it. */
export const judgedLimit = 1000;

/** The result of a training or refinement, with the columns of the model that only its kind knows. */
export interface MadeModel {
  readonly outcome: TrainingOutcome;
  readonly columns: Pick<
    ModelRow,
    'image_blob' | 'ok_img_count' | 'ng_img_count' | 'backbone_id' | 'backbone_blob' | 'backbone_description'
  >;
  /** Shown before the remarks of the outcome. */
  readonly remarks?: readonly Message[];
  /** The model becomes active in place of this one, where that is active. */
  readonly takesPlaceOf?: string | undefined;
  /** Items with a verdict of a person, which the model inspects first: see {@link judgedLimit}. */
  readonly inspects?: readonly string[];
}

/** Makes a model. `compute` runs the order in a process of its own. */
export type MakeModel = (
  model: ModelRow,
  compute: (order: TrainOrder | RefineOrder) => Promise<TrainingOutcome>,
) => Promise<MadeModel>;

interface Dependencies {
  readonly models: ModelsService;
  readonly predictions: PredictionService;
  readonly queue: JobQueue;
  readonly blobs: BlobStore;
  readonly log: Logger;
}

const PROGRESS_INTERVAL_MS = 400;

/** A handler that makes a queued model. After a crash it starts over: nothing of a half-made model is kept. */
export function createModelHandler(
  { models, predictions, queue, blobs, log }: Dependencies,
  make: MakeModel,
): JobHandler<'train' | 'refine'> {
  return {
    async run({ modelId }, context) {
      const model = await models.findModel(modelId);
      // Its progress goes back to the beginning, which must not surprise anybody.
      const isRepeated = model?.status === 'training';
      const starting = say(isRepeated ? 'status.starting-again' : 'status.starting');
      const started = { status: 'training' as const, status_text: storeMessages([starting]) };
      if (!model || !(await models.updateTraining(modelId, started))) return;
      const startedAt = performance.now();
      const {
        outcome,
        columns,
        remarks = [],
        takesPlaceOf,
        inspects = [],
      } = await make(model, (order) =>
        runTraining(order, {
          loadImage: async (index) => blobs.get(order.samples[index]?.content ?? ''),
          onProgress: reportTo(models, modelId, isRepeated),
          signal: context.signal,
          log,
        }),
      );
      const { accuracy, precision, recall } = outcome.statistics;
      const changes = {
        ...columns,
        status: 'ready' as const,
        status_text: storeMessages([say('status.ready'), ...remarks, ...outcome.remarks]),
        training_time: Math.max(1, Math.round((performance.now() - startedAt) / 1000)),
        accuracy,
        precision,
        recall,
        calibration: JSON.stringify(outcome.calibration),
        model_blob: await blobs.put(outcome.modelFile),
      };
      await context.completeWith(async (trx) => {
        const isMade = await models.completeTraining(trx, modelId, changes, takesPlaceOf);
        if (isMade) await predictions.queueFirst(trx, modelId, inspects);
      });
      if (inspects.length > 0) queue.wake();
    },
    async onDead({ modelId }, error, trx) {
      const failed = { status: 'failed' as const, status_text: storeMessages([messageOf(error)]) };
      await models.updateTraining(modelId, failed, trx);
    },
  };
}

/** The images of items with a person's verdict, as the engine learns from them. */
export function samplesOf(items: readonly ItemDetails[]): TrainingImage[] {
  return items.flatMap(({ item, images, annotations }) =>
    images.map((image) => ({
      itemId: item.item_id,
      name: images.length > 1 ? `${item.name}/${image.name}` : item.name,
      good: item.user_result === 'OK',
      // A region without an image is on the first one.
      regions: annotations
        .filter((region) => (region.image ?? images[0]?.name) === image.name)
        .map((region) => ({
          xMin: region.x_min,
          yMin: region.y_min,
          xMax: region.x_max,
          yMax: region.y_max,
          label: region.label,
        })),
      content: image.blob,
    })),
  );
}

/** Progress is for people: the database takes a few a second at most. */
function reportTo(models: ModelsService, modelId: string, isRepeated: boolean): (progress: FitProgress) => void {
  const code = isRepeated ? 'status.progress-again' : 'status.progress';
  let nextAt = 0;
  return ({ fraction, doing }) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + PROGRESS_INTERVAL_MS;
    const progress = say(code, { doing, percent: Math.floor(fraction * 100) });
    void models.updateTraining(modelId, { status_text: storeMessages([progress]) }).catch(() => undefined);
  };
}
