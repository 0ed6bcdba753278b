import { stringify } from 'csv-stringify/sync';
import { fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { anomalyScore } from '../../vision/training/thresholds.ts';
import type { Calibration } from '../../vision/types.ts';
import type { SignedUrls } from '../files/signed-urls.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { ResultRow, ResultsStore } from './results.store.ts';

export type ResultsService = ReturnType<typeof createResultsService>;

const assessmentsPerPiece = 500;

interface ThumbnailRow {
  readonly blob: string | null;
  readonly images_removed_at: string | null;
  readonly thumbnails_kept: number;
}

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
  'serial',
  'lot',
  'station_id',
  'fields',
  'images_removed_at',
] as const;

export function createResultsService(dependencies: { store: ResultsStore; models: ModelsService; urls: SignedUrls }) {
  const { store, models, urls } = dependencies;

  const withThumbnail = <Row extends ThumbnailRow>({ blob, images_removed_at, thumbnails_kept, ...item }: Row) => ({
    ...item,
    thumbnail_url:
      blob === null || (images_removed_at !== null && thumbnails_kept === 0)
        ? null
        : urls.sign('thumbnail', blob, 'webp'),
  });
  return {
    /** Results of the models as CSV; without `modelIds`: of all models. */
    async openCsv(modelIds: readonly string[] | undefined): Promise<AsyncGenerator<string>> {
      if (modelIds?.length === 0) throw fieldError('invalid-request', 'model_ids', say('field.empty'));
      return generateCsv(store, modelIds && (await models.resolveModelIds(modelIds)));
    },

    /** All scores that a threshold of this model decides on, for a histogram and for trying other thresholds. */
    async getScores(modelId: string, limit: number) {
      const model = await models.requireModel(modelId);
      const [rows, total] = await Promise.all([
        store.listScores(model.model_id, limit),
        store.countScores(model.model_id),
      ]);
      return {
        threshold: model.threshold,
        held_out: heldOutScores(model.calibration),
        items: rows.map(({ anomaly_score, ...item }) => ({ ...withThumbnail(item), score: Number(anomaly_score) })),
        total,
      };
    },

    /** What the model learned from. @param withoutId a model; the items that it learned from, too, are not listed */
    async getTrainingItems(modelId: string, withoutId: string | undefined, limit: number) {
      const [model, without] = await Promise.all([
        models.requireModel(modelId),
        withoutId === undefined ? undefined : models.requireModel(withoutId),
      ]);
      const [rows, total] = await Promise.all([
        store.listTrainingItems(model.model_id, without?.model_id, limit),
        store.countTrainingItems(model.model_id, without?.model_id),
      ]);
      return { items: rows.map(withThumbnail), total };
    },
  };
}

function heldOutScores(calibration: string | null): { good: number[]; ng: number[] } {
  if (calibration === null) return { good: [], ng: [] };
  const { rawThreshold, goodScores, defectScores } = JSON.parse(calibration) as Calibration;
  const score = (raw: number): number => anomalyScore(raw, rawThreshold);
  return { good: goodScores.map(score), ng: defectScores.map(score) };
}

/** CSV text, a piece at a time, so that memory does not grow with the number of results. */
export async function* generateCsv(
  store: ResultsStore,
  modelIds: readonly string[] | undefined,
): AsyncGenerator<string> {
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
