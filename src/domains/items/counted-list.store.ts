import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { ItemRow } from './item-rows.ts';
import { type ListStretch, readStretches } from './list-stretches.store.ts';
import { type CountedList, type SeqRange, selectFacets } from './select-facets.store.ts';

export interface ItemPage {
  readonly items: ItemRow[];
  /** In all pages. */
  readonly total: number;
}

/** The page of items, newest first, after `skip` of them. Its cost does not grow with `skip`. */
export async function readCountedPage(db: Db, list: CountedList, skip: number, count: number): Promise<ItemPage> {
  const stretches = await readStretches(db, list);
  let total = 0;
  let skipped = 0;
  const holding: ListStretch[] = [];
  for (const stretch of stretches) {
    if (total + stretch.items <= skip) skipped += stretch.items;
    else if (total < skip + count) holding.push(stretch);
    total += stretch.items;
  }
  const [newest, oldest] = [holding[0], holding.at(-1)];
  if (!newest || !oldest) return { items: [], total };
  const range = { above: oldest.above, below: newest.below };
  // Times are read where they can leave an item out.
  const among = holding.every(({ whole }) => whole) ? { ...list, from: undefined, until: undefined } : list;
  const seqs = selectNewest(among, range, skip - skipped, count);
  const items = db.selectFrom('items').selectAll().where('seq', 'in', sql<number>`(select seq from (${seqs}) as page)`);
  return { items: await items.orderBy('seq', 'desc').execute(), total };
}

/** Newest first. */
export async function readItems(db: Db, seqs: readonly number[]): Promise<ItemRow[]> {
  if (seqs.length === 0) return [];
  return db.selectFrom('items').selectAll().where('seq', 'in', seqs).orderBy('seq', 'desc').execute();
}

/** Numbers of the newest of each facet, merged. */
function selectNewest(list: CountedList, range: SeqRange, skip: number, count: number): RawBuilder<unknown> {
  const parts = selectFacets(list, range).map(
    (select) => sql`select * from (${select} order by 1 desc limit ${skip + count}) as one`,
  );
  return sql`${sql.join(parts, sql` union all `)} order by seq desc limit ${count} offset ${skip}`;
}
