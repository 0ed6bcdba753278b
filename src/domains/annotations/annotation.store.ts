import type { Insertable } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { AnnotationsTable, Db, Trx } from '../../storage/database.ts';

/** Regions of one label, and the items that they lie on. */
export interface RegionCount {
  readonly label: number | null;
  readonly regions: number;
  readonly items: number;
}

export type AnnotationStore = ReturnType<typeof createAnnotationStore>;

export function createAnnotationStore(db: Db) {
  return {
    async insertAnnotations(trx: Trx, rows: readonly Insertable<AnnotationsTable>[]): Promise<void> {
      for (const part of chunks(rows)) await trx.insertInto('annotations').values(part).execute();
    },

    async deleteAnnotations(trx: Trx, itemIds: readonly string[]): Promise<void> {
      for (const part of chunks(itemIds)) await trx.deleteFrom('annotations').where('item_id', 'in', part).execute();
    },

    /** By label, those without one first. */
    async countRegions(itemIds: readonly string[]): Promise<RegionCount[]> {
      const counts = new Map<number | null, RegionCount>();
      for (const part of chunks(itemIds)) {
        const rows = await db
          .selectFrom('annotations')
          .select(['label', ({ fn }) => fn.countAll().as('regions')])
          .select(({ fn }) => fn.count('item_id').distinct().as('items'))
          .where('item_id', 'in', part)
          .groupBy('label')
          .execute();
        for (const { label, regions, items } of rows) {
          const before = counts.get(label) ?? { label, regions: 0, items: 0 };
          const added = { regions: before.regions + Number(regions), items: before.items + Number(items) };
          counts.set(label, { label, ...added });
        }
      }
      return [...counts.values()].sort((one, other) => (one.label ?? -1) - (other.label ?? -1));
    },
  };
}
