import type { Db } from '../../storage/database.ts';
import { readKindCounts, sumCounts } from '../../storage/kept-counts.ts';

export type StatusStore = ReturnType<typeof createStatusStore>;

export function createStatusStore(db: Db) {
  return {
    /** From counts that triggers keep: the page runs it every few seconds, also with a million items. */
    async countStored() {
      const [counts, models, images] = await Promise.all([
        readKindCounts(db, ['items']),
        db
          .selectFrom('models')
          .select((builder) => builder.fn.countAll<number | string>().as('count'))
          .executeTakeFirst(),
        db
          .selectFrom('counts')
          .select((builder) => builder.fn.sum<number | string | null>('count').as('count'))
          .select((builder) => builder.fn.sum<number | string | null>('bytes').as('bytes'))
          .where('scope', '=', 'images')
          .executeTakeFirst(),
      ]);
      return {
        items: sumCounts(counts),
        models: Number(models?.count ?? 0),
        images: Number(images?.count ?? 0),
        image_bytes: Number(images?.bytes ?? 0),
      };
    },
  };
}
