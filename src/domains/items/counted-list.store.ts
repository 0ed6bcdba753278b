import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { ItemRow } from './item-rows.ts';
import { readStretches } from './list-stretches.store.ts';
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
  let start: { below: number; skip: number } | undefined;
  for (const { below, items } of stretches) {
    if (skip < total + items) start ??= { below, skip: skip - total };
    total += items;
  }
  if (!start) return { items: [], total };
  const range = { above: stretches.at(-1)?.above ?? 0, below: start.below };
  return { items: await readItems(db, await readSeqs(db, list, range, start.skip, count)), total };
}

/** Newest first. */
export async function readItems(db: Db, seqs: readonly number[]): Promise<ItemRow[]> {
  if (seqs.length === 0) return [];
  return db.selectFrom('items').selectAll().where('seq', 'in', seqs).orderBy('seq', 'desc').execute();
}

/** The newest of each facet, merged. */
async function readSeqs(db: Db, list: CountedList, range: SeqRange, skip: number, count: number): Promise<number[]> {
  const parts = selectFacets(list, range).map(
    (select) => sql`select * from (${select} order by 1 desc limit ${skip + count}) as one`,
  );
  const merged = sql<{
    seq: number;
  }>`${sql.join(parts, sql` union all `)} order by seq desc limit ${count} offset ${skip}`;
  return (await merged.execute(db)).rows.map((row) => row.seq);
}
