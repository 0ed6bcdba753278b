import type { Db } from '../../storage/database.ts';
import { readKindCounts, sumCounts } from '../../storage/kept-counts.ts';

export type ScoresStore = ReturnType<typeof createScoresStore>;

export function createScoresStore(db: Db) {
  const assessed = (modelId: string) =>
    db
      .selectFrom('assessments')
      .innerJoin('items', 'items.item_id', 'assessments.item_id')
      .where('assessments.model_id', '=', modelId)
      .where('items.is_training', '=', 0);
  return {
    async countScores(modelId: string): Promise<number> {
      return sumCounts((await readKindCounts(db, [modelId])).filter(({ training }) => !training));
    },

    /** Newest first, with the blob of each item's first image. */
    listScores: (modelId: string, limit: number) =>
      assessed(modelId)
        .leftJoin('item_images', (join) =>
          join.onRef('item_images.item_id', '=', 'items.item_id').on('item_images.position', '=', 0),
        )
        .select(['items.item_id', 'items.name', 'items.user_result', 'item_images.blob'])
        .select(['assessments.anomaly_score', 'assessments.result'])
        .orderBy('assessments.seq', 'desc')
        .limit(limit)
        .execute(),
  };
}
