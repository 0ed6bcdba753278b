import { fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { createResultsStore } from './results.store.ts';
import { resultColumns, toCells, toCsv } from './results-csv.ts';

export type ResultsService = ReturnType<typeof createResultsService>;

const assessmentsPerPiece = 500;

export function createResultsService(parts: {
  store: ReturnType<typeof createResultsStore>;
  models: Pick<ModelsService, 'resolveModelIds'>;
}) {
  const { store, models } = parts;
  return {
    /** CSV text, a piece at a time, so that memory does not grow with the number of results. */
    async openCsv(modelIds: readonly string[] | undefined): Promise<AsyncGenerator<string>> {
      if (modelIds?.length === 0) {
        throw fieldError('invalid-request', 'model_ids', say('field.empty'));
      }
      const resolved = modelIds && (await models.resolveModelIds(modelIds));
      return generateCsv(store, resolved);
    },
  };
}

async function* generateCsv(
  store: ReturnType<typeof createResultsStore>,
  modelIds: readonly string[] | undefined,
): AsyncGenerator<string> {
  yield toCsv([resultColumns]);
  // Bounded by what is there now: a line that goes on predicting must not keep the file from ending.
  const until = await store.getNewestSeq();
  let after = 0;
  while (true) {
    const seqs = await store.listSeqs({ after, until, limit: assessmentsPerPiece, modelIds });
    const last = seqs.at(-1);
    if (last === undefined) return;
    const rows = await store.listRows(seqs);
    if (rows.length > 0) yield toCsv(rows.map(toCells));
    after = last;
  }
}
