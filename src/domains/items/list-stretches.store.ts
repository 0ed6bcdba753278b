import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { type CountedList, inTime, type SeqRange, selectSeqs } from './select-facets.store.ts';

/** As in migration 0005. */
const bucketSize = 2048;

/** Items that came one after another, and how many of them are in the list. */
export interface ListStretch extends SeqRange {
  readonly items: number;
  /** All of its items are in the list's time. */
  readonly whole: boolean;
}

/** The stretches that hold items of the list, newest first. Only where one is cut by an end of the time are its items read. */
export async function readStretches(db: Db, list: CountedList): Promise<ListStretch[]> {
  if (list.facets.length === 0) return [];
  const counted = db
    .selectFrom('list_counts')
    .select(['bucket', (builder) => builder.fn.sum<number | string>('count').as('items')])
    .where('scope', '=', list.modelId ?? 'items')
    .where('facet', 'in', [...list.facets])
    .groupBy('bucket')
    .orderBy('bucket', 'desc');
  if (list.from === undefined && list.until === undefined)
    return (await counted.execute()).map(toStretch).filter(holdsItems);
  const { meets, within } = timeConditions(list);
  const timed = counted.select(sql<number>`case when ${within} then 1 else 0 end`.as('whole')).having(meets);
  const stretches = (await timed.execute()).map(({ whole, ...counts }) => ({
    ...toStretch(counts),
    whole: whole === 1,
  }));
  const counting = stretches
    .filter(holdsItems)
    .map(async (stretch) => (stretch.whole ? stretch : { ...stretch, items: await countItems(db, list, stretch) }));
  return (await Promise.all(counting)).filter(holdsItems);
}

const toStretch = ({ bucket, items }: { bucket: number; items: number | string }): ListStretch => ({
  items: Number(items),
  above: bucket * bucketSize,
  below: (bucket + 1) * bucketSize,
  whole: true,
});

const holdsItems = ({ items }: ListStretch): boolean => items > 0;

/** Whether items of a stretch may be in the list's time, and whether all are; where times are not kept, some may be. */
function timeConditions({ from, until }: CountedList) {
  const meets: RawBuilder<unknown>[] = [];
  const within: RawBuilder<unknown>[] = [];
  if (from !== undefined) {
    meets.push(sql`coalesce(max(last_at) >= ${from}, true)`);
    within.push(sql`min(first_at) >= ${from}`);
  }
  if (until !== undefined) {
    meets.push(sql`coalesce(min(first_at) < ${until}, true)`);
    within.push(sql`max(last_at) < ${until}`);
  }
  return { meets: sql<SqlBool>`${sql.join(meets, sql` and `)}`, within: sql.join(within, sql` and `) };
}

async function countItems(db: Db, list: CountedList, range: SeqRange): Promise<number> {
  const facet = sql`in (${sql.join([...list.facets])})`;
  const seqs = list.modelId === undefined ? selectSeqs(list, facet, range) : selectJudged(list, facet, range);
  const found = sql<{ items: number | string }>`select count(*) as items from (${seqs}) as found`;
  return Number((await found.execute(db)).rows[0]?.items ?? 0);
}

/**
 * So few items that they may be joined either way, which takes PostgreSQL a third of what a subquery for each does; crosswise,
 * since SQLite then begins with the assessments.
 */
const selectJudged = (list: CountedList, facet: RawBuilder<unknown>, { above, below }: SeqRange): RawBuilder<unknown> =>
  sql`select item_seq as seq from assessments cross join items
    where model_id = ${list.modelId} and assessments.facet ${facet} and item_seq >= ${above} and item_seq < ${below}
    and items.seq = item_seq and items.seq >= ${above} and items.seq < ${below}${inTime(list)}`;
