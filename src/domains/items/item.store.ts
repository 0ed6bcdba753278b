import { type Insertable, PostgresAdapter, type Selectable, sql, type Updateable } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type {
  AnnotationRow,
  AssessmentImagesTable,
  AssessmentsTable,
  Db,
  ItemImageRow,
  ItemImagesTable,
  ItemRow,
  ItemsTable,
  Trx,
} from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';

/** What is shown of a verdict about an item. */
export type AssessmentRow = Pick<
  Selectable<AssessmentsTable>,
  | ('seq' | 'item_id' | 'model_id' | 'result' | 'label' | 'anomaly_score')
  | ('detected_objects' | 'detection_accuracy' | 'threshold' | 'predicted_at')
>;
/** What is shown of the same verdict about one of the item's images. */
export type AssessmentImageRow = Pick<
  Selectable<AssessmentImagesTable>,
  'position' | 'regions' | 'heatmap_id' | 'heatmap_width' | 'heatmap_height' | 'heatmap_size'
>;

/** An item with all that belongs to it. */
export interface ItemDetails {
  readonly item: ItemRow;
  readonly images: readonly ItemImageRow[];
  readonly annotations: readonly AnnotationRow[];
  readonly assessments: readonly { readonly row: AssessmentRow; readonly images: readonly AssessmentImageRow[] }[];
}

/** A region as `assessment_images.regions` keeps it, pixels of the original. */
export interface StoredRegion {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
  readonly area: number;
  readonly score: string;
  readonly label: number | null;
  /** Absent: only the rectangle is known. */
  readonly outline?: number[][];
}

export type ItemStore = ReturnType<typeof createItemStore>;

export function createItemStore(db: Db) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return {
    /** An item without a target is of the default one. @returns the items as they are stored */
    async insertItems(
      trx: Trx,
      items: readonly Insertable<ItemsTable>[],
      images: readonly Insertable<ItemImagesTable>[],
    ): Promise<ItemRow[]> {
      const stored: ItemRow[] = [];
      const defaultTarget = sql<number>`coalesce((select target_id from targets where is_default = 1), 1)`;
      const rows = items.map((item) => ({
        ...item,
        target_id: item.target_id ?? defaultTarget,
        folded_name: foldName(item.name),
      }));
      for (const part of chunks(rows))
        stored.push(...(await trx.insertInto('items').values(part).returningAll().execute()));
      for (const part of chunks(images)) await trx.insertInto('item_images').values(part).execute();
      return stored;
    },

    /** The items among `itemIds` that exist, in the order of `itemIds`. */
    async findItems(itemIds: readonly string[], trx: Db | Trx = db): Promise<ItemRow[]> {
      const found = new Map<string, ItemRow>();
      for (const part of chunks(itemIds)) {
        const rows = await trx.selectFrom('items').selectAll().where('item_id', 'in', part).execute();
        for (const row of rows) found.set(row.item_id, row);
      }
      return itemIds.flatMap((itemId) => found.get(itemId) ?? []);
    },

    /** Whether an item is of the target. */
    async isTargetUsed(targetId: number, trx: Trx): Promise<boolean> {
      const query = trx.selectFrom('items').select('item_id').where('target_id', '=', targetId).limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },

    async listActiveTrainingIds(targetId: number): Promise<string[]> {
      const query = db.selectFrom('items').select('item_id').where('is_training', '=', 1).where('active', '=', 1);
      const rows = await query.where('target_id', '=', targetId).orderBy('seq').execute();
      return rows.map((row) => row.item_id);
    },

    async findImages(itemIds: readonly string[], trx: Db | Trx = db): Promise<ItemImageRow[]> {
      const rows: ItemImageRow[] = [];
      for (const part of chunks(itemIds)) {
        const query = trx.selectFrom('item_images').selectAll().where('item_id', 'in', part);
        rows.push(...(await query.orderBy('position').execute()));
      }
      return rows;
    },

    /** For each image, an item that still has it; one that the model learned from where there is one. By blob. */
    async findByBlobs(
      blobs: readonly string[],
      modelId: string,
    ): Promise<Map<string, { item: ItemRow; image: ItemImageRow }>> {
      if (blobs.length === 0) return new Map();
      const images = await db
        .selectFrom('item_images')
        .selectAll()
        .where('blob', 'in', blobs)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('items')
              .select('items.item_id')
              .whereRef('items.item_id', '=', 'item_images.item_id')
              .where('images_removed_at', 'is', null),
          ),
        )
        .orderBy('item_id')
        .limit(1000)
        .execute();
      if (images.length === 0) return new Map();
      const itemIds = [...new Set(images.map((image) => image.item_id))];
      const items = new Map((await this.findItems(itemIds)).map((item) => [item.item_id, item]));
      const members = await db
        .selectFrom('model_items')
        .select('item_id')
        .where('model_id', '=', modelId)
        .where('item_id', 'in', itemIds)
        .execute();
      const learned = new Set(members.map((row) => row.item_id));
      const found = new Map<string, { item: ItemRow; image: ItemImageRow }>();
      for (const image of images) {
        const item = items.get(image.item_id);
        const isBetter = !found.has(image.blob) || learned.has(image.item_id);
        if (item && isBetter) found.set(image.blob, { item, image });
      }
      return found;
    },

    /** Everything that belongs to the items, in three queries for each 500. */
    async getDetails(items: readonly ItemRow[], modelId?: string, trx: Db | Trx = db): Promise<ItemDetails[]> {
      const details: ItemDetails[] = [];
      for (const part of chunks(items)) {
        const ids = part.map((item) => item.item_id);
        const [images, annotations, assessments] = await Promise.all([
          this.findImages(ids, trx),
          trx.selectFrom('annotations').selectAll().where('item_id', 'in', ids).orderBy('annotation_id').execute(),
          findAssessments(trx, ids, modelId),
        ]);
        for (const item of part) {
          details.push({
            item,
            images: images.filter((row) => row.item_id === item.item_id),
            annotations: annotations.filter((row) => row.item_id === item.item_id),
            assessments: assessments.filter(({ row }) => row.item_id === item.item_id),
          });
        }
      }
      return details;
    },

    /** How many of the station's items wait for their verdict. */
    async countWaitingAt(stationId: string): Promise<number> {
      // From the index of items in progress, whose words SQLite must find here: the station may have a million others.
      const { rows } = await sql<{ count: number | string }>`
        select count(*) as count from items where status in ('queued', 'processing', 'failed')
        and status in ('queued', 'processing') and station_id || '' = ${stationId}`.execute(db);
      return Number(rows[0]?.count ?? 0);
    },

    /** The newest item of the station whose prediction has ended. */
    findLastInspectedAt: (stationId: string): Promise<ItemRow | undefined> =>
      db
        .selectFrom('items')
        .selectAll()
        .where('station_id', '=', stationId)
        .where('status', 'in', ['done', 'failed'])
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** The items stay as they are until the transaction ends. */
    async lockItems(trx: Trx, itemIds: readonly string[]): Promise<Pick<ItemRow, 'item_id' | 'images_removed_at'>[]> {
      const locked: Pick<ItemRow, 'item_id' | 'images_removed_at'>[] = [];
      for (const part of chunks([...itemIds].sort())) {
        const items = trx.selectFrom('items').select(['item_id', 'images_removed_at']).where('item_id', 'in', part);
        locked.push(...(await (isPostgres ? items.orderBy('item_id').forShare() : items).execute()));
      }
      return locked;
    },

    async renameItem(
      trx: Trx,
      itemId: string,
      { imageName, ...changes }: Updateable<ItemsTable> & { name: string; imageName: string },
    ): Promise<void> {
      const item = { ...changes, folded_name: foldName(changes.name) };
      await trx.updateTable('items').set(item).where('item_id', '=', itemId).execute();
      const image = trx.updateTable('item_images').set({ name: imageName }).where('item_id', '=', itemId);
      await image.where('position', '=', 0).execute();
    },

    async setSourcePath(itemId: string, path: string, trx: Db | Trx = db): Promise<void> {
      await trx.updateTable('items').set({ source_path: path }).where('item_id', '=', itemId).execute();
    },

    async updateItems(trx: Trx, itemIds: readonly string[], changes: Updateable<ItemsTable>): Promise<void> {
      for (const part of chunks(itemIds)) {
        await trx.updateTable('items').set(changes).where('item_id', 'in', part).execute();
      }
    },

    async deleteItems(trx: Trx, itemIds: readonly string[]): Promise<void> {
      for (const part of chunks([...itemIds].sort())) {
        // Locks them, in one order: a verdict that is being stored either is committed before, or finds its item gone.
        await trx.updateTable('items').set({ active: 0 }).where('item_id', 'in', part).execute();
        for (const table of [
          'item_images',
          'annotations',
          'assessment_images',
          'assessments',
          'model_items',
          'thumbnails',
        ] as const) {
          await trx.deleteFrom(table).where('item_id', 'in', part).execute();
        }
        await trx.deleteFrom('items').where('item_id', 'in', part).execute();
      }
    },
  };
}

/**
 * Verdicts, the latest first, each with what it says of every image. One query reads both: between two, a verdict could
 * be replaced, and the earlier one be shown with the regions of the later.
 */
async function findAssessments(
  trx: Db | Trx,
  itemIds: readonly string[],
  modelId: string | undefined,
): Promise<ItemDetails['assessments']> {
  let query = trx
    .selectFrom('assessments as verdict')
    .innerJoin('assessment_images as part', (join) =>
      join.onRef('part.item_id', '=', 'verdict.item_id').onRef('part.model_id', '=', 'verdict.model_id'),
    )
    .select(['verdict.seq', 'verdict.item_id', 'verdict.model_id', 'verdict.result', 'verdict.label'])
    .select(['verdict.anomaly_score', 'verdict.detected_objects', 'verdict.detection_accuracy'])
    .select(['verdict.threshold', 'verdict.predicted_at'])
    .select(['part.position', 'part.regions', 'part.heatmap_id'])
    .select(['part.heatmap_width', 'part.heatmap_height', 'part.heatmap_size'])
    .where('verdict.item_id', 'in', itemIds);
  if (modelId !== undefined) query = query.where('verdict.model_id', '=', modelId);
  const rows = await query.orderBy('verdict.seq', 'desc').orderBy('part.position').execute();
  const found = new Map<number, { row: AssessmentRow; images: AssessmentImageRow[] }>();
  for (const row of rows) {
    const earlier = found.get(row.seq);
    if (earlier) earlier.images.push(row);
    else found.set(row.seq, { row, images: [row] });
  }
  return [...found.values()];
}
