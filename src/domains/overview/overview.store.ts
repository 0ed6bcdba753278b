import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';

export type OverviewStore = ReturnType<typeof createOverviewStore>;

type Count = { readonly count: number | string };

/** Counts over whole tables, each in one query. */
export function createOverviewStore(db: Db) {
  return {
    /** Items by use, verdict of a person and failure. */
    async countItems() {
      const rows = await db
        .selectFrom('items')
        .select(['is_training', 'user_result'])
        .select((builder) => builder.fn.countAll<number | string>().as('count'))
        .select(sql<number | string>`sum(case when status = 'failed' then 1 else 0 end)`.as('failed'))
        .groupBy(['is_training', 'user_result'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count), failed: Number(row.failed) }));
    },

    /** Verdicts of models on items that are not for training, since a moment. */
    async countVerdicts(since: string | undefined): Promise<{ ok: number; ng: number }> {
      let query = db
        .selectFrom('assessments')
        .innerJoin('items', 'items.item_id', 'assessments.item_id')
        .select('assessments.result')
        .select((builder) => builder.fn.countAll<number | string>().as('count'))
        .where('items.is_training', '=', 0);
      if (since !== undefined) query = query.where('assessments.predicted_at', '>=', since);
      const rows = await query.groupBy('assessments.result').execute();
      const of = (result: string) => toNumber(rows.find((row) => row.result === result));
      return { ok: of('OK'), ng: of('NG') };
    },

    /** Items whose person and model say different things. */
    async countDisagreements(): Promise<number> {
      const row = await db
        .selectFrom('items')
        .innerJoin('assessments', 'assessments.item_id', 'items.item_id')
        .select(sql<number | string>`count(distinct items.item_id)`.as('count'))
        .where('items.is_training', '=', 0)
        .where('items.user_result', 'is not', null)
        .whereRef('assessments.result', '!=', 'items.user_result')
        .executeTakeFirst();
      return toNumber(row);
    },

    /** The items of the newest verdicts, each once. */
    async listLastItemIds(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('assessments')
        .select('item_id')
        .orderBy('seq', 'desc')
        // An item judged by several models takes several rows.
        .limit(limit * 4)
        .execute();
      return [...new Set(rows.map((row) => row.item_id))].slice(0, limit);
    },
  };
}

function toNumber(row: Count | undefined): number {
  return Number(row?.count ?? 0);
}
