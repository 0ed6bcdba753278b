import type { Db } from '../../storage/database.ts';
import { bucketSizes } from '../../storage/tables/list-counts.table.ts';
import { decodeFacet } from '../items/item-facet.ts';

export type ScoresStore = ReturnType<typeof createScoresStore>;

export function createScoresStore(db: Db) {
  const assessed = (modelId: string) =>
    db
      .selectFrom('assessments')
      .innerJoin('items', 'items.item_id', 'assessments.item_id')
      .where('assessments.model_id', '=', modelId)
      .where('items.is_training', '=', 0);
  return {
    /** From the counts that are kept, so that it costs the same for a million. */
    async countScores(modelId: string): Promise<number> {
      const rows = await db
        .selectFrom('list_counts')
        .select(['facet', (builder) => builder.fn.sum<number | string>('count').as('count')])
        .where('scope', '=', modelId)
        .where('size', '=', bucketSizes.large)
        .groupBy('facet')
        .execute();
      return rows.filter(({ facet }) => !decodeFacet(facet).training).reduce((sum, row) => sum + Number(row.count), 0);
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
