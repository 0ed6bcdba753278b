import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { bucketSizes } from '../../storage/tables/list-counts.table.ts';

export type OverviewStore = ReturnType<typeof createOverviewStore>;

/** A verdict of a model on an item to be inspected. */
export interface RecentVerdict {
  readonly item_id: string;
  readonly result: 'OK' | 'NG';
  readonly predicted_at: string;
}

/** Figures whose cost does not grow with the number of items: a page asks for them every few seconds. */
export function createOverviewStore(db: Db) {
  return {
    /** How many items there are of each facet, see migration 0005. */
    async countFacets(): Promise<{ facet: number; count: number }[]> {
      const rows = await db
        .selectFrom('list_counts')
        .select(['facet', (builder) => builder.fn.sum<number | string>('count').as('count')])
        .where('scope', '=', 'items')
        .where('size', '=', bucketSizes.large)
        .groupBy('facet')
        .execute();
      return rows.map(({ facet, count }) => ({ facet, count: Number(count) }));
    },

    /** The newest verdicts, newest first. */
    async listRecentVerdicts(limit: number): Promise<RecentVerdict[]> {
      const newest = sql<RecentVerdict>`
        select newest.item_id, newest.result, newest.predicted_at
        from (select * from assessments order by seq desc limit ${limit}) as newest
        inner join items on items.item_id = newest.item_id
        where items.is_training = 0
        order by newest.seq desc`;
      return (await newest.execute(db)).rows;
    },
  };
}
