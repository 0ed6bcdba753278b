import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';
import { hasName, inRange, type SeqRange } from './item-conditions.store.ts';
import type { ItemList } from './item-list.store.ts';

/** Bounds of one search, so that any name is searched for within milliseconds. */
const limits = {
  /** Items with the name. */
  found: 1500,
  /** Newest items of all that are compared one by one before the index is asked. */
  compared: 20_000,
  /** Newest items of all that are compared where the index knows nothing of the name. */
  comparedAlone: 50_000,
  /** Newest items that the index gives, in the list or not. */
  indexed: 10_000,
};

/** A list of so many items is read whole. */
export const SHORT_LIST = 5000;

/** The index holds three characters in a row. */
const shortestIndexed = 3;

export interface FoundItems {
  /** Newest first. */
  readonly seqs: readonly number[];
  /** The search looked at every item of the list from this one on; undefined: at the whole list. */
  readonly searchedFrom: number | undefined;
}

/**
 * The newest items of a list whose names hold `name`. A common name is found among the newest items; the index finds the
 * others, but on PostgreSQL it takes a second to give a name that most items have.
 */
export async function searchNames(db: Db, list: ItemList, name: string, range: SeqRange): Promise<FoundItems> {
  if (list.total <= SHORT_LIST) return searchWhole(db, list, name, range);
  const isIndexed = [...foldName(name)].length >= shortestIndexed;
  const compared = await compareNewest(db, list, name, range, isIndexed ? limits.compared : limits.comparedAlone);
  if (!isIndexed || compared.searchedFrom === undefined || compared.seqs.length >= limits.found) return compared;
  return searchIndex(db, list, name, range);
}

async function searchWhole(db: Db, list: ItemList, name: string, range: SeqRange): Promise<FoundItems> {
  // A lookup for each: the database might make a join from the other side, through all items.
  const found = sql<{ seq: number }>`with listed as materialized (${list.select(range, 'desc')})
    select seq from listed where (select 1 from items where items.seq = listed.seq and ${hasName(name)}) = 1
    order by seq desc`;
  return { seqs: (await found.execute(db)).rows.map(({ seq }) => seq), searchedFrom: undefined };
}

async function compareNewest(
  db: Db,
  list: ItemList,
  name: string,
  { from, to }: SeqRange,
  count: number,
): Promise<FoundItems> {
  const newest = db.selectFrom('items').select('seq').where('seq', '<=', to).orderBy('seq', 'desc').limit(1);
  const last = (await newest.executeTakeFirst())?.seq ?? 0;
  const first = Math.max(from, last - count + 1);
  const found = sql<{ seq: number }>`select seq from items
    where ${inRange('seq', { from: first, to: last })} and ${hasName(name)} and ${list.holds}
    order by seq desc limit ${limits.found}`;
  const seqs = (await found.execute(db)).rows.map(({ seq }) => seq);
  if (seqs.length >= limits.found) return { seqs, searchedFrom: seqs.at(-1) };
  return { seqs, searchedFrom: first <= Math.max(from, 1) ? undefined : first };
}

async function searchIndex(db: Db, list: ItemList, name: string, range: SeqRange): Promise<FoundItems> {
  const found = sql<{ seq: number | null; named: number | string; oldest: number | null }>`
    with named as materialized (${selectNamed(db, name, range)} order by seq desc limit ${limits.indexed}),
    found as (
      select seq from named where (select 1 from items where items.seq = named.seq and ${list.holds}) = 1
      order by seq desc limit ${limits.found}
    )
    select found.seq, looked.named, looked.oldest
    from (select count(*) as named, min(seq) as oldest from named) as looked left join found on true
    order by found.seq desc`;
  const { rows } = await found.execute(db);
  const seqs = rows.flatMap(({ seq }) => seq ?? []);
  if (seqs.length >= limits.found) return { seqs, searchedFrom: seqs.at(-1) };
  const isCut = Number(rows[0]?.named ?? 0) >= limits.indexed;
  return { seqs, searchedFrom: isCut ? (rows[0]?.oldest ?? undefined) : undefined };
}

/** The `seq` of items with the name, from the index. */
function selectNamed(db: Db, name: string, range: SeqRange): RawBuilder<unknown> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Not ordered here: with an order, the planner may go through all items instead.
    return sql`select seq from (
      with named as materialized (select seq from items where ${hasName(name)} and ${inRange('seq', range)})
      select seq from named) as named`;
  }
  const phrase = `"${foldName(name).replaceAll('"', '""')}"`;
  return sql`select rowid as seq from item_names where item_names match ${phrase} and ${inRange('rowid', range)}`;
}
