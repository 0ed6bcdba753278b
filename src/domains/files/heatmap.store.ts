import type { Db } from '../../storage/database.ts';

export type HeatmapStore = ReturnType<typeof createHeatmapStore>;

export function createHeatmapStore(db: Db) {
  return {
    /** Blob of the image and the anomaly map over it, see `encodeAnomalyMap`; undefined: no verdict has this heatmap. */
    async findParts(heatmapId: string): Promise<{ image: string; anomalyMap: Uint8Array } | undefined> {
      const row = await db
        .selectFrom('assessment_images as part')
        .innerJoin('item_images as image', (join) =>
          join.onRef('image.item_id', '=', 'part.item_id').onRef('image.position', '=', 'part.position'),
        )
        .select(['image.blob', 'part.score_layer'])
        .where('part.heatmap_id', '=', heatmapId)
        .where('part.score_layer', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return row?.score_layer ? { image: row.blob, anomalyMap: row.score_layer } : undefined;
    },
  };
}
