import { stringify } from 'csv-stringify/sync';
import { fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { ResultRow, ResultsStore } from './results.store.ts';

export type ResultsService = ReturnType<typeof createResultsService>;

const assessmentsPerPiece = 500;

const columns = [
  'model_id',
  'model_name',
  'model_version',
  'algorithm_id',
  'item_id',
  'item_name',
  'image',
  'predicted_at',
  'result',
  'label',
  'anomaly_score',
  'raw_score',
  'threshold',
  'detected_objects',
  'detection_accuracy',
  'user_result',
  'agrees',
  'defect_area',
  'duration_ms',
] as const;

export function createResultsService({
  store,
  models,
}: {
  store: ResultsStore;
  models: Pick<ModelsService, 'resolveModelIds'>;
}) {
  return {
    /** CSV text, a piece at a time, so that memory does not grow with the number of results. */
    async openCsv(modelIds: readonly string[] | undefined): Promise<AsyncGenerator<string>> {
      if (modelIds?.length === 0) throw fieldError('invalid-request', 'model_ids', say('field.empty'));
      return generateCsv(store, modelIds && (await models.resolveModelIds(modelIds)));
    },
  };
}

async function* generateCsv(store: ResultsStore, modelIds: readonly string[] | undefined): AsyncGenerator<string> {
  yield toCsv([[...columns]]);
  // Only results that exist now: the file must end while a line goes on predicting.
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

/** RFC 4180 lines. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
function toCsv(records: (string | number | null)[][]): string {
  return stringify(records, { record_delimiter: 'windows', escape_formulas: true });
}

function toCells(row: ResultRow): (string | number | null)[] {
  const cells = {
    ...row,
    // A person judges items, so it is the item's verdict that agrees or not.
    agrees: row.user_result && String(row.user_result === row.item_result),
    duration_ms: Math.round(row.duration_ms * 1000) / 1000,
  };
  return columns.map((column) => cells[column]);
}
