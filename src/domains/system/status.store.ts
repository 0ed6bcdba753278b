import type { Db } from '../../storage/database.ts';
import { bucketSizes } from '../../storage/tables/list-counts.table.ts';

export interface StoredFigures {
  readonly items: number;
  readonly images: number;
  readonly imageBytes: number;
  readonly models: number;
}

export interface StatusStore {
  /** From kept counts: a page asks every few seconds, however many items there are. */
  countStored(): Promise<StoredFigures>;
}

export function createStatusStore(db: Db): StatusStore {
  return {
    async countStored() {
      const [items, models, images] = await Promise.all([
        db
          .selectFrom('list_counts')
          .select((builder) => builder.fn.sum<number | string | null>('count').as('count'))
          .where('scope', '=', 'items')
          .where('size', '=', bucketSizes.large)
          .executeTakeFirst(),
        db
          .selectFrom('models')
          .select((builder) => builder.fn.countAll<number | string>().as('count'))
          .executeTakeFirst(),
        db
          .selectFrom('image_totals')
          .select((builder) => builder.fn.sum<number | string | null>('images').as('count'))
          .select((builder) => builder.fn.sum<number | string | null>('bytes').as('bytes'))
          .executeTakeFirst(),
      ]);
      return {
        items: Number(items?.count ?? 0),
        models: Number(models?.count ?? 0),
        images: Number(images?.count ?? 0),
        imageBytes: Number(images?.bytes ?? 0),
      };
    },
  };
}
