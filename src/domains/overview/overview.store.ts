import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { readKindCounts } from '../../storage/kept-counts.ts';

export type OverviewStore = ReturnType<typeof createOverviewStore>;

/** A model's verdict on an item that is not for training. */
export interface RecentVerdict {
  readonly item_id: string;
  readonly result: 'OK' | 'NG';
  readonly predicted_at: string;
}

/** The cost of these queries does not grow with the number of items: the page runs them every few seconds. */
export function createOverviewStore(db: Db) {
  return {
    countKinds: () => readKindCounts(db, ['items']),

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
