import type { Db } from '../../storage/database.ts';

export type HeatmapStore = ReturnType<typeof createHeatmapStore>;

interface HeatmapParts {
  /** Blob of the image. */
  readonly image: string;
  /** Of the image. */
  readonly width: number;
  readonly height: number;
  readonly anomalyMap: Uint8Array;
}

export function createHeatmapStore(db: Db) {
  return {
    /** Blob of the image and the anomaly map over it, see `encodeAnomalyMap`; undefined: no verdict has this heatmap. */
    async findParts(heatmapId: string): Promise<HeatmapParts | undefined> {
      const row = await db
        .selectFrom('assessment_images as part')
        .innerJoin('item_images as image', (join) =>
          join.onRef('image.item_id', '=', 'part.item_id').onRef('image.position', '=', 'part.position'),
        )
        .select(['image.blob', 'image.width', 'image.height', 'part.score_layer'])
        .where('part.heatmap_id', '=', heatmapId)
        .where('part.score_layer', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      if (!row?.score_layer) return undefined;
      return { image: row.blob, width: row.width, height: row.height, anomalyMap: row.score_layer };
    },
  };
}
