import type { Db } from '../../storage/database.ts';

export interface HeatmapParts {
  /** SHA-256 of the photo. */
  readonly photo: string;
  /** Of the scores over it; see `encodeAnomalyMap`. */
  readonly anomalyMap: Uint8Array;
}

export interface HeatmapStore {
  /** What the heatmap is drawn from; undefined: no verdict has it. */
  findParts(heatmapId: string): Promise<HeatmapParts | undefined>;
}

export function createHeatmapStore(db: Db): HeatmapStore {
  return {
    async findParts(heatmapId) {
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
      return row?.score_layer ? { photo: row.blob, anomalyMap: row.score_layer } : undefined;
    },
  };
}
