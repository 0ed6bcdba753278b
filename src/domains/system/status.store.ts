import type { Db } from '../../storage/database.ts';

export interface StoredFigures {
  readonly items: number;
  readonly images: number;
  readonly imageBytes: number;
  readonly models: number;
}

export interface StatusStore {
  countStored(): Promise<StoredFigures>;
}

export function createStatusStore(db: Db): StatusStore {
  const count = async (table: 'items' | 'models'): Promise<number> => {
    const row = await db
      .selectFrom(table)
      .select((builder) => builder.fn.countAll<number | string>().as('count'))
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  };
  return {
    async countStored() {
      const [items, models, images] = await Promise.all([
        count('items'),
        count('models'),
        db
          .selectFrom('item_images')
          .select((builder) => builder.fn.countAll<number | string>().as('count'))
          .select((builder) => builder.fn.sum<number | string | null>('file_size').as('bytes'))
          .executeTakeFirst(),
      ]);
      return { items, models, images: Number(images?.count ?? 0), imageBytes: Number(images?.bytes ?? 0) };
    },
  };
}
