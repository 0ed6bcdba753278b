import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';
import { hasName, inRange, type SeqRange } from './item-conditions.store.ts';
import type { ItemList } from './item-list.store.ts';

/** A list of so many items is read whole. */
const SHORT_LIST = 5000;
/** The items of such a list lie close together in the database. */
export const LONG_LIST = 60_000;

/** Bounds of one search, so that any name is searched for within milliseconds. */
const limits = {
  /** Items with the name. */
  found: 500,
  /** Newest items of a list that are compared one by one before the index is asked. */
  compared: 5000,
  /** The same of a long list whose index knows nothing of the name. */
  comparedAlone: 20_000,
  /** Newest items that the index gives, in the list or not. */
  indexed: 5000,
};

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
  const inList = list.select(range, 'desc');
  if (list.total <= SHORT_LIST)
    return search(db, inList, hasName(name), { looked: SHORT_LIST + 1, found: SHORT_LIST + 1 });
  const isIndexed = [...foldName(name)].length >= shortestIndexed;
  const { found, indexed } = limits;
  const looked = isIndexed || list.total < LONG_LIST ? limits.compared : limits.comparedAlone;
  const compared = await search(db, inList, hasName(name), { looked, found });
  if (!isIndexed || compared.searchedFrom === undefined || compared.seqs.length >= found) return compared;
  return search(db, selectNamed(db, list, name, range), list.holds, { looked: indexed, found });
}

/**
 * Looks at the newest items of a selection.
 * @param holds condition on `items`, for those that are looked at
 */
async function search(
  db: Db,
  selected: RawBuilder<unknown>,
  holds: RawBuilder<SqlBool>,
  most: { readonly looked: number; readonly found: number },
): Promise<FoundItems> {
  // A lookup for each: the database might make a join from the other side, through all items.
  const { rows } = await sql<{ seq: number | null; count: number | string; oldest: number | null }>`
    with looked as materialized (${selected} order by seq desc limit ${most.looked}),
    found as (
      select seq from looked where (select 1 from items where items.seq = looked.seq and ${holds}) = 1
      order by seq desc limit ${most.found}
    )
    select found.seq, looked.count, looked.oldest
    from (select count(*) as count, min(seq) as oldest from looked) as looked left join found on true
    order by found.seq desc`.execute(db);
  const seqs = rows.flatMap(({ seq }) => seq ?? []);
  if (seqs.length >= most.found) return { seqs, searchedFrom: seqs.at(-1) };
  const isCut = Number(rows[0]?.count ?? 0) >= most.looked;
  return { seqs, searchedFrom: isCut ? (rows[0]?.oldest ?? undefined) : undefined };
}

/** The `seq` of items with the name, from the index. */
function selectNamed(db: Db, { ofType }: ItemList, name: string, range: SeqRange): RawBuilder<unknown> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // The offset keeps the limit out of this selection: with it, the planner may go through all items instead.
    return sql`select seq from (
      select seq from items where ${hasName(name)} and ${ofType} and ${inRange('seq', range)} offset 0) as named`;
  }
  const phrase = `"${foldName(name).replaceAll('"', '""')}"`;
  return sql`select rowid as seq from item_names where item_names match ${phrase} and ${inRange('rowid', range)}`;
}
