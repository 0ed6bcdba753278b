import { messageOf } from '../../errors.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handlers.ts';
import { say, storeMessages } from '../../messages/message.ts';
import type { FitProgress } from '../../vision/training/fit-input.ts';
import type { ModelRow } from '../models/model.store.ts';
import type { ModelsService } from '../models/models.service.ts';

export interface ModelRun {
  readonly model: ModelRow;
  readonly context: JobContext;
  onProgress(progress: FitProgress): void;
}

const PROGRESS_INTERVAL_MS = 400;

/** A handler that makes a queued model. After a crash it starts over: nothing of a half-made model is kept. */
export function createModelHandler(
  models: ModelsService,
  make: (run: ModelRun) => Promise<void>,
): JobHandler<'train' | 'refine'> {
  return {
    async run({ modelId }, context) {
      const model = await models.findModel(modelId);
      const started = { status: 'training' as const, status_text: storeMessages([say('status.starting')]) };
      if (!model || !(await models.updateTraining(undefined, modelId, started))) return;
      await make({ model, context, onProgress: reportTo(models, modelId) });
    },
    async onDead({ modelId }, error, trx) {
      await models.updateTraining(trx, modelId, { status: 'failed', status_text: storeMessages([messageOf(error)]) });
    },
  };
}

/** Progress is for people: the database takes a few a second at most. */
function reportTo(models: ModelsService, modelId: string): (progress: FitProgress) => void {
  let nextAt = 0;
  return ({ fraction, doing }) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + PROGRESS_INTERVAL_MS;
    const progress = say('status.progress', { doing, percent: Math.floor(fraction * 100) });
    void models.noteProgress(modelId, progress).catch(() => undefined);
  };
}
