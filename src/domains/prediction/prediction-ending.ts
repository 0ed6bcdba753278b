import type { JobQueue } from '../../jobs/job-queue.ts';
import type { Trx } from '../../storage/database.ts';
import type { PredictionEnd } from '../items/item-status.store.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelsService } from '../models/models.service.ts';

export interface Prediction {
  readonly itemId: string;
  readonly modelId: string;
}

export const predictKey = ({ modelId, itemId }: Prediction): string => `predict:${modelId}:${itemId}`;

/**
 * Records on the item that one of its predictions has ended, in the transaction in which its job ends.
 * @returns a function that says whether the item still exists.
 */
export function createPredictionEnding(parts: {
  items: ItemsService;
  models: ModelsService;
  queue: JobQueue;
}): (trx: Trx, prediction: Prediction, end: PredictionEnd) => Promise<boolean> {
  const { items, models, queue } = parts;
  return (trx, prediction, end) =>
    items.endPrediction(trx, prediction, end, async () => {
      const modelIds = await models.listModelIds(trx);
      // The job of a failure is marked after this; any other is gone by now, so one of its key would be a later one.
      const others = end.status === 'failed' ? modelIds.filter((id) => id !== prediction.modelId) : modelIds;
      return queue.hasOpen(
        trx,
        others.map((modelId) => predictKey({ ...prediction, modelId })),
      );
    });
}
