import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { type CountedList, type Stretch, selectStretch } from './select-listed.store.ts';

/** As in migration 0005. */
const bucketSize = 2048;

export interface ListStretch extends Stretch {
  /** How many of its items are in the list. */
  readonly items: number;
  /** How many of the list are in all newer stretches. */
  readonly newer: number;
}

interface CountRow {
  readonly bucket: number;
  readonly items: number | string;
  /** 1 all of its items are in the list's time, -1 none is, 0 some may be; nothing where the list is of all times. */
  readonly whole?: number;
}

/** Where the list's items are, newest first. Only of stretches that an end of the list's time cuts are items read. */
export async function readStretches(db: Db, list: CountedList): Promise<ListStretch[]> {
  if (list.facets.length === 0) return [];
  const timed = list.from !== undefined || list.until !== undefined;
  const stretches: ListStretch[] = [];
  let newer = 0;
  let outside = 0;
  for (const row of timed
    ? await readTimed(db, list)
    : await selectCounts(db, list).orderBy('bucket', 'desc').execute()) {
    const { bucket, whole = 1 }: CountRow = row;
    const items = Number(row.items);
    if (whole < 0) outside++;
    if (whole < 0 || items <= 0) continue;
    const [above, below] = [bucket * bucketSize, (bucket + 1) * bucketSize];
    stretches.push({ above, below, whole: whole > 0, outside, items, newer });
    newer += items;
  }
  return stretches;
}

const selectCounts = (db: Db, list: CountedList) =>
  db
    .selectFrom('list_counts')
    .select(['bucket', (builder) => builder.fn.sum<number | string>('count').as('items')])
    .where('scope', '=', list.modelId ?? 'items')
    .where('facet', 'in', [...list.facets])
    .groupBy('bucket');

async function readTimed(db: Db, list: CountedList): Promise<CountRow[]> {
  const above = sql`bucket * ${sql.lit(bucketSize)}`;
  const cut = selectStretch(list, { above, below: sql`${above} + ${sql.lit(bucketSize)}`, whole: false });
  const rows = await db
    .selectFrom(selectCounts(db, list).select(wholeness(list)).as('counted'))
    .select(['bucket', 'whole'])
    .select(
      sql<number | string>`case whole when 0 then (select count(*) from (${cut}) as listed) else items end`.as('items'),
    )
    .execute();
  return rows.sort((one, other) => other.bucket - one.bucket);
}

/** Those of the stretches that hold any of the items after the newest `skip`, `count` of them. */
export const holding = (stretches: readonly ListStretch[], skip: number, count: number): ListStretch[] =>
  stretches.filter(({ items, newer }) => newer + items > skip && newer < skip + count);

export function totalOf(stretches: readonly ListStretch[]): number {
  const oldest = stretches.at(-1);
  return oldest ? oldest.newer + oldest.items : 0;
}

/** Where times are not kept, some of the items may be in the list's time. */
function wholeness({ from, until }: CountedList) {
  const whole: RawBuilder<unknown>[] = [];
  const outside: RawBuilder<unknown>[] = [];
  if (from !== undefined) {
    whole.push(sql`min(first_at) >= ${from}`);
    outside.push(sql`max(last_at) < ${from}`);
  }
  if (until !== undefined) {
    whole.push(sql`max(last_at) < ${until}`);
    outside.push(sql`min(first_at) >= ${until}`);
  }
  return sql<number>`case when ${sql.join(whole, sql` and `)} then 1
    when ${sql.join(outside, sql` or `)} then -1 else 0 end`.as('whole');
}
