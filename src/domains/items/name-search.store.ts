import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { ItemPage } from './counted-list.store.ts';
import type { ItemRow } from './item-rows.ts';
import { type ListStretch, readStretches } from './list-stretches.store.ts';
import { foldName, gramLength, gramsOf } from './name-grams.ts';
import {
  type CountedList,
  hasName,
  inTime,
  type SeqRange,
  selectListed,
  selectStretch,
} from './select-listed.store.ts';

/** Items that one search looks at, and the rest of a short stretch, so that it takes milliseconds whatever is asked. */
export const searchLimit = 1500;

export interface FoundPage extends ItemPage {
  /** The search ended at its limit: items that came before this are not in it. */
  readonly searchedSince?: string;
}

/** Where a search looks. */
interface Candidates {
  /** It looks at every item of the list from this one on. */
  readonly above: number;
  /** Those (`seq`) that are in the list and have the name. */
  readonly found: RawBuilder<unknown>;
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
  const folded = foldName(name);
  // Asked for at once, since hardly any list is so short that this is not needed.
  const [stretches, isCommon] = await Promise.all([
    readStretches(db, list, 0, limit),
    folded.length < gramLength && startMany(db, folded.join(''), limit),
  ]);
  const [newest, oldest] = [stretches[0], stretches.at(-1)];
  if (!newest || !oldest) return { items: [], total: 0 };
  const all = { above: oldest.above, below: newest.below };
  const listed = newestOf(list, stretches, name, limit);
  const named = listed.above === all.above || isCommon ? undefined : await namedSo(db, list, name, all, limit);
  const candidates = named && named.above < listed.above ? named : listed;
  const [found, searchedSince] = await Promise.all([
    readFound(db, candidates.found, skip, count),
    candidates.above === all.above ? undefined : timeBefore(db, candidates.above),
  ]);
  return searchedSince === undefined ? found : { ...found, searchedSince };
}

/** The newest stretches that together reach the limit. */
function newestOf(list: CountedList, stretches: readonly ListStretch[], name: string, limit: number): Candidates {
  const within = stretches.filter(({ newer }) => newer < limit);
  return { above: within.at(-1)?.above ?? 0, found: selectListed(list, within, name) };
}

/** The newest items whose names hold a part of `name`, which no more than the limit do where it is short. */
async function namedSo(db: Db, list: CountedList, name: string, range: SeqRange, limit: number): Promise<Candidates> {
  const folded = foldName(name);
  const among = (select: RawBuilder<unknown>) =>
    sql`select seq from (${select}) as candidate where ${isFound(list, name)} = 1`;
  if (folded.length < gramLength) {
    return { above: range.above, found: among(selectStart(folded.join(''), range)) };
  }
  const { gram, nth, newest } = await findRarest(db, gramsOf(folded), range, limit);
  const above = nth ?? range.above;
  // Where most of the neighbours have it, as in one lot, the neighbours are read together: a third of the time of one by one.
  const found =
    newest !== undefined && newest - above < 2 * limit
      ? selectStretch(list, { above, below: newest + 1, whole: false }, name)
      : among(selectGram(sql`${gram}`, { above, below: range.below }));
  return { above, found };
}

/** A short name is the start of many grams, each in an order of its own. */
const selectStart = (start: string, { above, below }: SeqRange): RawBuilder<unknown> =>
  sql`select distinct seq from item_name_grams where ${startsSo(start)} and seq >= ${above} and seq < ${below}`;

const startsSo = (start: string): RawBuilder<unknown> => sql`gram >= ${start} and gram < ${`${start}\u{10ffff}`}`;

/** Whether more than the limit do; counted to there, wherever they are. Their order is not kept. */
async function startMany(db: Db, start: string, limit: number): Promise<boolean> {
  const counted = sql<{ rows: number | string }>`select count(*) as rows from (
    select 1 from item_name_grams where ${startsSo(start)} limit ${limit + 1}) as counted`;
  return Number((await counted.execute(db)).rows[0]?.rows) > limit;
}

const selectGram = (gram: RawBuilder<unknown>, { above, below }: SeqRange): RawBuilder<unknown> =>
  sql`select seq from item_name_grams as part where part.gram = ${gram} and seq >= ${above} and seq < ${below}`;

interface RarestGram {
  readonly gram: string;
  /** Its newest item, and the one with which it has as many as the limit; undefined where it has fewer. */
  readonly newest: number | undefined;
  readonly nth: number | undefined;
}

/** The gram whose newest items, a tenth of the limit, reach back farthest. */
async function findRarest(db: Db, grams: readonly string[], range: SeqRange, limit: number): Promise<RarestGram> {
  const selectNth = (gram: RawBuilder<unknown>, nth: number) =>
    sql`(${selectGram(gram, range)} order by seq desc limit 1 offset ${nth - 1})`;
  const given = sql.join(grams.map((gram) => sql`(${gram})`));
  const found = sql<{ [key in keyof RarestGram]: RarestGram[key] | null }>`with given (gram) as (values ${given}),
    sampled as materialized (select gram, ${selectNth(sql`given.gram`, Math.ceil(limit / 10))} as seq from given),
    rarest as materialized (select gram from sampled order by coalesce(seq, -1), gram limit 1)
    select gram, ${selectNth(sql`rarest.gram`, 1)} as newest, ${selectNth(sql`rarest.gram`, limit)} as nth from rarest`;
  const [rarest] = (await found.execute(db)).rows;
  return { gram: rarest?.gram ?? '', newest: rarest?.newest ?? undefined, nth: rarest?.nth ?? undefined };
}

async function readFound(db: Db, found: RawBuilder<unknown>, skip: number, count: number): Promise<ItemPage> {
  const read = async (limit: number, offset: number) => {
    const page = sql<ItemRow & { total: number | string }>`with found as materialized (${found})
      select items.*, (select count(*) from found) as total from items
      where seq in (select seq from found order by seq desc limit ${limit} offset ${offset}) order by seq desc`;
    return (await page.execute(db)).rows;
  };
  const rows = await read(count, skip);
  // A page after the last has no row that would say how many there are.
  const [first] = rows.length > 0 || skip === 0 ? rows : await read(1, 0);
  return { items: rows.map(({ total: _, ...item }) => item), total: Number(first?.total ?? 0) };
}

/** A subquery for each candidate: a join might be made the other way round, through all items. */
function isFound(list: CountedList, name: string): RawBuilder<unknown> {
  const facets = sql.join([...list.facets]);
  const named = sql`items.seq = candidate.seq and ${hasName(name)}${inTime(list)}`;
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
