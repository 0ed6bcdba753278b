import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { readItemCounts, readKindCounts, sumCounts } from '../../storage/kept-counts.ts';

export type FiguresStore = ReturnType<typeof createFiguresStore>;

const countedTables = [
  'clients',
  'targets',
  'labels',
  'items',
  'item_images',
  'annotations',
  'models',
  'assessments',
  'deliveries',
  'jobs',
] as const;

/** Figures of what is stored. The page asks for all but `getDebugFigures` every few seconds, with a million items too. */
export function createFiguresStore(db: Db) {
  const countRows = async (table: (typeof countedTables)[number]): Promise<number> => {
    const query = db.selectFrom(table).select((builder) => builder.fn.countAll<number | string>().as('count'));
    return Number((await query.executeTakeFirst())?.count ?? 0);
  };

  const countByStatus = async (table: 'items' | 'models'): Promise<Record<string, number>> => {
    const rows = await db
      .selectFrom(table)
      .select('status')
      .select((builder) => builder.fn.countAll<number | string>().as('count'))
      .groupBy('status')
      .execute();
    return Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]));
  };

  return {
    countKinds: (targetId?: number) => readItemCounts(db, targetId),

    /** Kinds of the items that each model has assessed, by its verdict alone. */
    countKindsOf: (modelIds: readonly string[]) => readKindCounts(db, modelIds),

    /** The active models with their products: all, or that of one product. */
    listActiveModels: (targetId?: number) =>
      db
        .selectFrom('models')
        .select(['model_id', 'context_id as target_id'])
        .where('active', '=', 1)
        .$if(targetId !== undefined, (all) => all.where('context_id', '=', targetId ?? 0))
        .orderBy('context_id')
        .execute(),

    async countStored() {
      const [counts, models, images] = await Promise.all([
        readItemCounts(db),
        countRows('models'),
        db
          .selectFrom('counts')
          .select((builder) => builder.fn.sum<number | string | null>('count').as('count'))
          .select((builder) => builder.fn.sum<number | string | null>('bytes').as('bytes'))
          .where('scope', '=', 'images')
          .executeTakeFirst(),
      ]);
      return {
        items: sumCounts(counts),
        models,
        images: Number(images?.count ?? 0),
        image_bytes: Number(images?.bytes ?? 0),
      };
    },

    /** The items that are not for training, with a verdict among the newest ones; the newest first. */
    async listRecentItems(limit: number, verdicts: number, targetId?: number): Promise<string[]> {
      const ofTarget = targetId === undefined ? sql`` : sql`and items.target_id = ${targetId}`;
      const newest = sql<{ item_id: string }>`
        select newest.item_id from (select seq, item_id from assessments order by seq desc limit ${verdicts}) as newest
        inner join items on items.item_id = newest.item_id
        where items.is_training = 0 ${ofTarget}
        group by newest.item_id order by max(newest.seq) desc limit ${limit}`;
      return (await newest.execute(db)).rows.map((row) => row.item_id);
    },

    /** Inspected items by their first verdict, of those that got it since then. */
    async countFirstVerdicts(since: string, targetId?: number): Promise<{ ok: number; ng: number }> {
      const rows = await db
        .selectFrom('items')
        .select('first_result')
        .select((builder) => builder.fn.countAll<number | string>().as('count'))
        .where('first_assessed_at', '>=', since)
        .where('is_training', '=', 0)
        .$if(targetId !== undefined, (all) => all.where('target_id', '=', targetId ?? 0))
        .groupBy('first_result')
        .execute();
      const countOf = (result: 'OK' | 'NG') => Number(rows.find((row) => row.first_result === result)?.count ?? 0);
      return { ok: countOf('OK'), ng: countOf('NG') };
    },

    /** Inspected items whose last prediction failed for good. */
    async countFailed(targetId?: number): Promise<number> {
      // The statuses are those of the index `items_in_progress`.
      const query = db
        .selectFrom('items')
        .select((builder) => builder.fn.countAll<number | string>().as('count'))
        .where(sql<boolean>`status = 'failed' and status in ('queued', 'processing', 'failed')`)
        .where('is_training', '=', 0)
        .$if(targetId !== undefined, (all) => all.where('target_id', '=', targetId ?? 0));
      return Number((await query.executeTakeFirst())?.count ?? 0);
    },

    /** Numbers of rows by table and status, and the last errors of jobs. */
    async getDebugFigures() {
      const rows: Record<string, number> = {};
      for (const table of countedTables) rows[table] = await countRows(table);
      const lastJobErrors = await db
        .selectFrom('jobs')
        .select(['kind', 'attempts', 'last_error'])
        .where('last_error', 'is not', null)
        .orderBy('id', 'desc')
        .limit(50)
        .execute();
      return {
        rows,
        itemsByStatus: await countByStatus('items'),
        modelsByStatus: await countByStatus('models'),
        lastJobErrors,
      };
    },
  };
}
