import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { type ItemPage, readItems } from './counted-list.store.ts';
import { type ListStretch, readStretches } from './list-stretches.store.ts';
import { foldName, gramLength, gramsOf, toPattern } from './name-grams.ts';
import { type CountedList, inTime, type SeqRange, selectFacets } from './select-facets.store.ts';

/** Items that one search looks at, so that it takes milliseconds whatever is asked. */
export const searchLimit = 1500;

export interface FoundPage extends ItemPage {
  /** The search ended at its limit: items that came before this are not in it. */
  readonly searchedSince?: string;
}

/** Where a search looks: the rows of `select` (seq), which hold every item of the list with this name in the range. */
interface Candidates {
  readonly range: SeqRange;
  readonly select: RawBuilder<unknown>;
  /** They are in the list already: only their names are looked at. */
  readonly listed: boolean;
}

/** The items of the list whose names hold `name`, newest first, among as many as may be looked at. */
export async function searchByName(
  db: Db,
  list: CountedList,
  name: string,
  skip: number,
  count: number,
  limit = searchLimit,
): Promise<FoundPage> {
  const stretches = await readStretches(db, list);
  const [newest, oldest] = [stretches[0], stretches.at(-1)];
  if (!newest || !oldest) return { items: [], total: 0 };
  const all = { above: oldest.above, below: newest.below };
  const listed = newestOf(list, stretches, limit);
  const named = listed.range.above === all.above ? undefined : await namedSo(db, name, all, limit);
  const candidates = named && named.range.above < listed.range.above ? named : listed;
  const found = await readFound(db, list, name, candidates, skip, count);
  if (candidates.range.above === all.above) return found;
  const searchedSince = await timeBefore(db, candidates.range.above);
  return searchedSince === undefined ? found : { ...found, searchedSince };
}

/** As many of the newest stretches as the limit allows, one at least. */
function newestOf(list: CountedList, stretches: readonly ListStretch[], limit: number): Candidates {
  let items = 0;
  let range: SeqRange = { above: Number.POSITIVE_INFINITY, below: stretches[0]?.below ?? 0 };
  for (const stretch of stretches) {
    items += stretch.items;
    if (items > limit && range.above !== Number.POSITIVE_INFINITY) break;
    range = { ...range, above: stretch.above };
  }
  return { range, select: sql.join(selectFacets(list, range), sql` union all `), listed: true };
}

/** The newest items whose names hold a part of `name`; undefined where more than the limit do and their order is not kept. */
async function namedSo(db: Db, name: string, range: SeqRange, limit: number): Promise<Candidates | undefined> {
  const folded = foldName(name);
  if (folded.length < gramLength) return startingSo(db, folded.join(''), range, limit);
  const gram = await findRarest(db, gramsOf(folded), range, Math.ceil(limit / 10));
  const above = (await seqOfNth(db, gram, range, limit)) ?? range.above;
  return {
    range: { above, below: range.below },
    select: selectGram(gram, { above, below: range.below }),
    listed: false,
  };
}

/** A short name is the start of many grams, each in an order of its own. */
async function startingSo(db: Db, start: string, range: SeqRange, limit: number): Promise<Candidates | undefined> {
  const select = sql`select distinct seq from item_name_grams where gram >= ${start} and gram < ${`${start}\u{10ffff}`}
    and seq >= ${range.above} and seq < ${range.below}`;
  // Bounded where it is read: as many grams as the limit, wherever they are.
  const counted = sql<{ rows: number | string }>`select count(*) as rows from (
    select 1 from item_name_grams where gram >= ${start} and gram < ${`${start}\u{10ffff}`} limit ${limit + 1}) as counted`;
  const { rows } = await counted.execute(db);
  return Number(rows[0]?.rows) > limit ? undefined : { range, select, listed: false };
}

const selectGram = (gram: string, { above, below }: SeqRange): RawBuilder<unknown> =>
  sql`select seq from item_name_grams where gram = ${gram} and seq >= ${above} and seq < ${below}`;

const selectNth = (gram: string, range: SeqRange, nth: number): RawBuilder<unknown> =>
  sql`${selectGram(gram, range)} order by seq desc limit 1 offset ${nth - 1}`;

/** Of the item that is the nth newest with the gram; undefined where fewer have it. */
async function seqOfNth(db: Db, gram: string, range: SeqRange, nth: number): Promise<number | undefined> {
  return (await sql<{ seq: number }>`${selectNth(gram, range, nth)}`.execute(db)).rows[0]?.seq;
}

/** The gram whose newest `sample` items reach back farthest. */
async function findRarest(db: Db, grams: readonly string[], range: SeqRange, sample: number): Promise<string> {
  const each = grams.map((gram, at) => sql`select ${sql.lit(at)} as at, (${selectNth(gram, range, sample)}) as seq`);
  const found = sql<{ at: number; seq: number | null }>`${sql.join(each, sql` union all `)}`;
  let rarest = { at: 0, seq: Number.POSITIVE_INFINITY };
  // Fewer than that many have it at all.
  for (const { at, seq } of (await found.execute(db)).rows)
    if ((seq ?? -1) < rarest.seq) rarest = { at, seq: seq ?? -1 };
  return grams[rarest.at] ?? '';
}

async function readFound(
  db: Db,
  list: CountedList,
  name: string,
  candidates: Candidates,
  skip: number,
  count: number,
): Promise<ItemPage> {
  const found = (limit: number, offset: number) =>
    sql<{ seq: number; total: number | string }>`select seq, count(*) over () as total
      from (${candidates.select}) as candidate where ${isFound(list, name, candidates.listed)} = 1
      order by seq desc limit ${limit} offset ${offset}`.execute(db);
  const { rows } = await found(count, skip);
  // A page after the last has no row that would say how many there are.
  const [first] = rows.length > 0 || skip === 0 ? rows : (await found(1, 0)).rows;
  return {
    items: await readItems(
      db,
      rows.map((row) => row.seq),
    ),
    total: Number(first?.total ?? 0),
  };
}

/** A subquery for each candidate: a join might be made the other way round, through all items. */
function isFound(list: CountedList, name: string, listed: boolean): RawBuilder<unknown> {
  const facets = sql.join([...list.facets]);
  const so = sql`items.seq = candidate.seq and items.folded_name like ${toPattern(name)} escape '\\'`;
  if (listed) return sql`(select 1 from items where ${so})`;
  const named = sql`${so}${inTime(list)}`;
  if (list.modelId === undefined) return sql`(select 1 from items where ${named} and items.facet in (${facets}))`;
  return sql`(select 1 from items join assessments on assessments.item_id = items.item_id
    where ${named} and assessments.model_id = ${list.modelId} and assessments.facet in (${facets}))`;
}

/** Asked for items older than this, a search goes on where one ended that looked at all from `seq` on. */
async function timeBefore(db: Db, seq: number): Promise<string | undefined> {
  const next = db.selectFrom('items').select('created_at').where('seq', '<', seq).orderBy('seq', 'desc').limit(1);
  const item = await next.executeTakeFirst();
  return item && new Date(Date.parse(item.created_at) + 1).toISOString();
}
