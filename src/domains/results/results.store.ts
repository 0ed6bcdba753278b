import type { Db } from '../../storage/database.ts';
import { readKindCounts, sumCounts } from '../../storage/kept-counts.ts';

export type ResultsStore = ReturnType<typeof createResultsStore>;
export type ResultRow = Awaited<ReturnType<ResultsStore['listRows']>>[number];

export function createResultsStore(db: Db) {
  const ofTraining = (modelId: string, without: string | undefined) => {
    const items = db
      .selectFrom('model_items')
      .innerJoin('items', 'items.item_id', 'model_items.item_id')
      .where('model_items.model_id', '=', modelId);
    if (without === undefined) return items;
    const others = db.selectFrom('model_items').select('item_id').where('model_id', '=', without);
    return items.where('items.item_id', 'not in', others);
  };
  return {
    /** The newest assessment now; 0 without any. */
    async getNewestSeq(): Promise<number> {
      const query = db.selectFrom('assessments').select((builder) => builder.fn.max('seq').as('newest'));
      return (await query.executeTakeFirst())?.newest ?? 0;
    },

    /** The order numbers of the next assessments, after `after` and up to `until`. */
    async listSeqs(range: {
      after: number;
      until: number;
      limit: number;
      modelIds: readonly string[] | undefined;
    }): Promise<number[]> {
      const query = db
        .selectFrom('assessments')
        .select('seq')
        .where('seq', '>', range.after)
        .where('seq', '<=', range.until);
      const chosen = range.modelIds === undefined ? query : query.where('model_id', 'in', [...range.modelIds]);
      return (await chosen.orderBy('seq').limit(range.limit).execute()).map((row) => row.seq);
    },

    /** One row for each image of these assessments. */
    listRows(seqs: readonly number[]) {
      return db
        .selectFrom('assessments')
        .innerJoin('assessment_images as part', (join) =>
          join.onRef('part.item_id', '=', 'assessments.item_id').onRef('part.model_id', '=', 'assessments.model_id'),
        )
        .innerJoin('items', 'items.item_id', 'assessments.item_id')
        .innerJoin('models', 'models.model_id', 'assessments.model_id')
        .innerJoin('item_images', (join) =>
          join.onRef('item_images.item_id', '=', 'part.item_id').onRef('item_images.position', '=', 'part.position'),
        )
        .select([
          'models.model_id',
          'models.name as model_name',
          'models.version as model_version',
          'models.algorithm_id',
        ])
        .select(['items.item_id', 'items.name as item_name', 'items.user_result', 'item_images.name as image'])
        .select(['items.serial', 'items.lot', 'items.station_id', 'items.fields', 'items.images_removed_at'])
        .select(['assessments.predicted_at', 'assessments.threshold', 'assessments.result as item_result'])
        .select(['part.result', 'part.label', 'part.anomaly_score', 'part.raw_score', 'part.detected_objects'])
        .select(['part.detection_accuracy', 'part.defect_area', 'part.duration_ms'])
        .where('assessments.seq', 'in', [...seqs])
        .orderBy('assessments.seq')
        .orderBy('part.position')
        .execute();
    },

    /** Verdicts on items that are not for training. */
    async countScores(modelId: string): Promise<number> {
      return sumCounts((await readKindCounts(db, [modelId])).filter(({ training }) => !training));
    },

    /** The same verdicts, newest first, with the blob of each item's first image. */
    listScores: (modelId: string, limit: number) =>
      db
        .selectFrom('assessments')
        .innerJoin('items', 'items.item_id', 'assessments.item_id')
        .leftJoin('item_images', (join) =>
          join.onRef('item_images.item_id', '=', 'items.item_id').on('item_images.position', '=', 0),
        )
        .select(['items.item_id', 'items.name', 'items.user_result', 'item_images.blob'])
        .select(['items.images_removed_at', 'items.thumbnails_kept'])
        .select(['assessments.anomaly_score', 'assessments.result'])
        .where('assessments.model_id', '=', modelId)
        .where('items.is_training', '=', 0)
        .orderBy('assessments.seq', 'desc')
        .limit(limit)
        .execute(),

    /** How many items the model learned from, but for those that the other one learned from, too. */
    async countTrainingItems(modelId: string, without: string | undefined): Promise<number> {
      const counted = ofTraining(modelId, without).select((builder) => builder.fn.countAll<number | string>().as('n'));
      return Number((await counted.executeTakeFirst())?.n ?? 0);
    },

    /** The same items, newest first, with the blob of each item's first image. */
    listTrainingItems: (modelId: string, without: string | undefined, limit: number) =>
      ofTraining(modelId, without)
        .leftJoin('item_images', (join) =>
          join.onRef('item_images.item_id', '=', 'items.item_id').on('item_images.position', '=', 0),
        )
        .select(['items.item_id', 'items.name', 'items.user_result', 'item_images.blob'])
        .select(['items.images_removed_at', 'items.thumbnails_kept'])
        .orderBy('items.seq', 'desc')
        .limit(limit)
        .execute(),
  };
}
