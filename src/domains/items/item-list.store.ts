import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, ItemRow } from '../../storage/database.ts';
import { type ListKind, modelScope, readItemCounts, readKindCounts, sumCounts } from '../../storage/kept-counts.ts';
import {
  conditionOf,
  type ItemFilter,
  inRange,
  isConditional,
  isOfType,
  type SeqRange,
} from './item-conditions.store.ts';
import { type FoundItems, LONG_LIST, searchNames } from './name-search.store.ts';

export interface PageRequest {
  readonly count: number;
  /** Counts from 1. */
  readonly page?: number;
  /** `next` of the page before; takes the place of `page`. */
  readonly after?: string | undefined;
  /** By the scores of the filter's model: the highest first, or those nearest to `threshold`. Absent: newest first. */
  readonly sort?: 'score' | 'nearness' | undefined;
  readonly threshold?: number | undefined;
}

export interface ItemPage {
  readonly items: ItemRow[];
  /** In all pages; of a search that was ended at its limit, those that it found. */
  readonly total: number;
  /** What the following page is asked for with; absent where nothing follows. */
  readonly next?: string;
  /** The search for a name was ended at its limit: it looked at items from this time on. */
  readonly searchedSince?: string;
}

type Order = 'asc' | 'desc';

/** A list of items in the order in which they came. */
export interface ItemList {
  /** Where its items may be. */
  readonly range: SeqRange;
  readonly total: number;
  /** Condition on `items` that all of the list meet, and no other table is needed for. */
  readonly ofType: RawBuilder<SqlBool>;
  /** Condition on `items`: whether one is in the list. */
  readonly holds: RawBuilder<SqlBool>;
  /** The same, as a condition on `assessments` of the filter's model; undefined without a model. */
  readonly holdsAssessed: RawBuilder<SqlBool> | undefined;
  /** The list's items (`seq`) in the range, to be ordered by `seq`. The database stops reading at a limit. */
  select(range: SeqRange, order: Order | 'any'): RawBuilder<unknown>;
}

const MAX_SEQ = 2 ** 31 - 1;
/** A list with a larger share of all items is found among all of them, and a smaller one kind by kind. */
const LARGE_SHARE = 0.25;

export type ItemListStore = ReturnType<typeof createItemListStore>;

export function createItemListStore(db: Db) {
  return {
    async listItems(filter: ItemFilter, request: PageRequest): Promise<ItemPage> {
      const { count, page = 1, after, sort } = request;
      const list = await openList(db, filter);
      if (sort !== undefined) return readSorted(db, list, filter, request);
      const range =
        after === undefined ? list.range : { ...list.range, to: Math.min(list.range.to, Number(after) - 1) };
      const skip = after === undefined ? (page - 1) * count : 0;
      if (filter.name !== undefined && !isConditional(filter)) {
        return readFound(db, await searchNames(db, list, filter.name, range), skip, count);
      }
      const { total } = list;
      // One more tells whether a page follows.
      const rows =
        skip <= total / 2
          ? await readNewest(db, list, range, skip, count + 1)
          : await readOldest(db, list, skip, count + 1);
      const items = rows.slice(0, count);
      const last = items.at(-1);
      return rows.length > count && last ? { items, total, next: String(last.seq) } : { items, total };
    },
  };
}

function readNewest(db: Db, list: ItemList, range: SeqRange, skip: number, count: number): Promise<ItemRow[]> {
  return readItems(db, sql`${list.select(range, 'desc')} order by seq desc limit ${count} offset ${skip}`);
}

/** The same from the other end, which is nearer. */
async function readOldest(db: Db, list: ItemList, skip: number, count: number): Promise<ItemRow[]> {
  const wanted = Math.min(count, list.total - skip);
  if (wanted <= 0) return [];
  const older = list.total - skip - wanted;
  return readItems(db, sql`${list.select(list.range, 'asc')} order by seq limit ${wanted} offset ${older}`);
}

/** Scores are stored as text of six decimals, in the order of their numbers. */
const scoreUnits = 1e6;
/** More than the last decimal of a score. */
const roundingError = 2e-6;

/**
 * The scores, as text, that are this far from the threshold, or further: from `above` up, and from `below` down.
 * @param distance in units of a score's last decimal
 */
function beyond(threshold: number, distance: number) {
  const text = (units: number): string => (units / scoreUnits).toFixed(6);
  // Without the noise of the multiplication, which would move a threshold of six decimals.
  const units = (offset: number): number => Number((threshold * scoreUnits + offset).toFixed(3));
  const lower = Math.min(Math.floor(units(-distance)), Math.ceil(units(0)) - 1);
  // No score is below an empty text.
  return { above: text(Math.ceil(units(distance))), below: lower < 0 ? '' : text(lower) };
}

/** A part of the list in the order of the scores, from the index of the model's scores. */
async function readSorted(db: Db, list: ItemList, filter: ItemFilter, request: PageRequest): Promise<ItemPage> {
  const { count, page = 1, after, sort, threshold = 0.5 } = request;
  const skip = after === undefined ? (page - 1) * count : 0;
  const [lastSeq, lastScore] = after?.split(':') ?? [];
  const found =
    filter.name === undefined || isConditional(filter)
      ? undefined
      : await searchNames(db, list, filter.name, list.range);
  const inList = found
    ? sql`item_seq in (${found.seqs.length > 0 ? sql.join(found.seqs) : -1})`
    : sql`${list.holdsAssessed} and ${inRange('item_seq', list.range)}`;
  const distanceOf = (score: RawBuilder<unknown>) =>
    sql`abs(cast(${score} as double precision) - cast(${threshold} as double precision))`;
  const scored = (bounds: RawBuilder<unknown>) => sql`
    select item_seq as seq, anomaly_score as score, ${distanceOf(sql`anomaly_score`)} as distance
    from assessments where model_id = ${filter.model_id} and ${inList} and ${bounds}`;
  const read = async (part: RawBuilder<unknown>, limit: number, offset: number) =>
    (await sql<{ seq: number; score: string }>`${part} limit ${limit} offset ${offset}`.execute(db)).rows;
  const byScore = async () => {
    const wanted = Math.min(count + 1, list.total - skip);
    // From the lowest score on, where that is nearer.
    if (!found && after === undefined && skip > list.total / 2) {
      if (wanted <= 0) return [];
      const ascending = sql`${scored(sql`1 = 1`)} order by anomaly_score asc, item_seq asc`;
      return (await read(ascending, wanted, list.total - skip - wanted)).reverse();
    }
    const bounds =
      lastScore === undefined ? sql`1 = 1` : sql`(anomaly_score, item_seq) < (${lastScore}, ${Number(lastSeq)})`;
    return read(sql`${scored(bounds)} order by anomaly_score desc, item_seq desc`, count + 1, skip);
  };
  /** The nearest on either side of the threshold. */
  const byNearness = async () => {
    const wanted = skip + count + 1;
    const side = (bounds: RawBuilder<unknown>, order: Order) =>
      sql`select * from (${scored(bounds)} order by anomaly_score ${sql.raw(order)}, item_seq desc limit ${wanted}) as part`;
    const reached = lastScore === undefined ? 0 : Math.abs(Number(lastScore) - threshold) - roundingError;
    const last = distanceOf(sql`${lastScore}`);
    const isAfter =
      lastScore === undefined
        ? sql`1 = 1`
        : sql`(${distanceOf(sql`anomaly_score`)}, -item_seq) > (${last}, ${-Number(lastSeq)})`;
    const { above, below } = beyond(threshold, Math.max(0, Math.floor(reached * scoreUnits)));
    const upper = side(sql`anomaly_score >= ${above} and ${isAfter}`, 'asc');
    const lower = side(sql`anomaly_score <= ${below} and ${isAfter}`, 'desc');
    const both = sql`${upper} union all ${lower} order by distance, seq desc`;
    return read(both, count + 1, skip);
  };
  const rows = await (sort === 'score' ? byScore() : byNearness());
  const shown = rows.slice(0, count);
  const bySeq = new Map(
    shown.length === 0 ? [] : (await readItems(db, sql.join(shown.map(({ seq }) => seq)))).map((row) => [row.seq, row]),
  );
  const last = shown.at(-1);
  return {
    items: shown.flatMap(({ seq }) => bySeq.get(seq) ?? []),
    total: found ? found.seqs.length : list.total,
    ...(rows.length > count && last ? { next: `${last.seq}:${last.score}` } : {}),
  };
}

async function readItems(db: Db, seqs: RawBuilder<unknown>): Promise<ItemRow[]> {
  return (await sql<ItemRow>`select * from items where seq in (${seqs}) order by seq desc`.execute(db)).rows;
}

async function readFound(db: Db, found: FoundItems, skip: number, count: number): Promise<ItemPage> {
  const { seqs, searchedFrom } = found;
  const wanted = seqs.slice(skip, skip + count);
  const items = wanted.length === 0 ? [] : await readItems(db, sql.join(wanted));
  const next = seqs.length > skip + count ? wanted.at(-1) : searchedFrom;
  const since = searchedFrom === undefined ? undefined : await findTimeBefore(db, searchedFrom);
  return {
    items,
    total: seqs.length,
    ...(next === undefined ? {} : { next: String(next) }),
    ...(since === undefined ? {} : { searchedSince: since }),
  };
}

/** Asked for items older than this, a search goes on where one ended that looked at all items from `seq` on. */
async function findTimeBefore(db: Db, seq: number): Promise<string | undefined> {
  const next = db.selectFrom('items').select('created_at').where('seq', '<', seq).orderBy('seq', 'desc').limit(1);
  const item = await next.executeTakeFirst();
  return item && new Date(Date.parse(item.created_at) + 1).toISOString();
}

async function openList(db: Db, filter: ItemFilter): Promise<ItemList> {
  const { model_id: modelId, target_id: targetId } = filter;
  const range = await findRange(db, filter);
  const ofType = isOfType(filter);
  const isAnyTime = filter.from === undefined && filter.until === undefined;
  if (isConditional(filter)) {
    const holds = conditionOf(filter);
    const select = (within: SeqRange) => sql`select seq from items where ${holds} and ${inRange('seq', within)}`;
    const holdsAssessed = sql<SqlBool>`(select 1 from items where items.seq = assessments.item_seq and ${holds}) = 1`;
    return { range, ofType, holds, holdsAssessed, select, total: await countRows(db, select(range)) };
  }
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const counts = await (modelId === undefined
    ? readItemCounts(db, targetId)
    : readKindCounts(db, [targetId === undefined ? modelId : modelScope(modelId, targetId)]));
  const isTraining = filter.item_type === 'training';
  const listed = counts.filter((kind) => kind.training === isTraining && matches(kind, filter));
  const kinds = sql.join(listed.length > 0 ? listed.map(({ kind }) => sql.lit(kind)) : [sql.lit(-1)]);
  // The index of a target's items is ordered by kinds.
  const isLarge = targetId === undefined && sumCounts(listed) > sumCounts(counts) * LARGE_SHARE;
  const ofTarget = targetId === undefined ? sql`` : sql`target_id = ${sql.lit(targetId)} and `;
  const assessedOfTarget = targetId === undefined ? sql`` : sql`item_target = ${sql.lit(targetId)} and `;
  const select = (within: SeqRange, order: Order | 'any'): RawBuilder<unknown> => {
    const ordered = sql.raw(order === 'any' ? '' : `order by seq ${order}`);
    const part = (condition: RawBuilder<unknown>) =>
      modelId === undefined
        ? sql`select seq from (select seq from items
            where ${ofTarget}${condition} and ${inRange('seq', within)} ${ordered}) as part`
        : sql`select seq from (select item_seq as seq from assessments
            where model_id = ${modelId} and ${assessedOfTarget}${condition} and ${inRange('item_seq', within)} ${ordered}) as part`;
    // The plus keeps SQLite from the index of kinds, whose rows it would have to sort. PostgreSQL knows how many there are.
    const ofKinds = sql`${sql.raw(isPostgres ? '' : '+')}list_kind in (${kinds})`;
    if (isLarge) return part(modelId === undefined ? sql`${ofType} and ${ofKinds}` : ofKinds);
    // The database merges the kinds' parts of the index; PostgreSQL does so only where each is ordered by itself.
    const parts = listed.map(({ kind }) => part(sql`list_kind = ${sql.lit(kind)}`));
    return parts.length > 0 ? sql.join(parts, sql` union all `) : part(sql`1 = 0`);
  };
  const holds: RawBuilder<SqlBool> =
    modelId === undefined
      ? sql`${ofTarget}list_kind in (${kinds})`
      : // A value instead of `exists`, so that the database looks it up for each item and does not join all of them.
        sql`${ofTarget}(select 1 from assessments where assessments.item_id = items.item_id
          and model_id = ${modelId} and assessments.list_kind in (${kinds})) = 1`;
  const holdsAssessed = modelId === undefined ? undefined : sql<SqlBool>`${assessedOfTarget}list_kind in (${kinds})`;
  if (isAnyTime) return { range, ofType, holds, holdsAssessed, select, total: sumCounts(listed) };
  // A search for a name only needs to know whether the list is long.
  const total =
    filter.name === undefined
      ? await countInTime(db, sumCounts(listed), range, (within) => select(within, 'any'))
      : await countRows(db, sql`${select(range, 'desc')} limit ${LONG_LIST}`);
  return { range, ofType, holds, holdsAssessed, select, total };
}

/** Counts what is fewer: the items within a time, or those outside of it. @param all items of any time */
async function countInTime(
  db: Db,
  all: number,
  range: SeqRange,
  select: (within: SeqRange) => RawBuilder<unknown>,
): Promise<number> {
  const newest = await findSeq(db, sql`seq > 0 order by seq desc`, 0);
  const last = Math.min(range.to, newest);
  if (last - range.from < newest / 2) return countRows(db, select(range));
  const before = await countRows(db, select({ from: 0, to: range.from - 1 }));
  return all - before - (await countRows(db, select({ from: last + 1, to: MAX_SEQ })));
}

function matches({ person, verdicts }: ListKind, filter: ItemFilter): boolean {
  if (filter.user_result !== undefined && person !== filter.user_result) return false;
  if (filter.result === undefined && filter.disagrees === undefined) return true;
  // One verdict must meet both conditions.
  return verdicts.some(
    (verdict) =>
      (filter.result === undefined || filter.result === verdict) &&
      (filter.disagrees === undefined || (person !== 'none' && (person !== verdict) === filter.disagrees)),
  );
}

async function countRows(db: Db, selected: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number | string }>`select count(*) as total from (${selected}) as listed`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}

/**
 * A time cuts the order in which items came: from the oldest item that is not older than `from` to the newest that is
 * older than `until`. Where the clock was set back, items in between may have another time.
 */
async function findRange(db: Db, { from, until }: ItemFilter): Promise<SeqRange> {
  const [first, last] = await Promise.all([
    from === undefined ? 0 : findSeq(db, sql`created_at >= ${toStoredTime(from)} order by created_at, seq`, MAX_SEQ),
    until === undefined
      ? MAX_SEQ
      : findSeq(db, sql`created_at < ${toStoredTime(until)} order by created_at desc, seq desc`, 0),
  ]);
  return { from: first, to: last };
}

async function findSeq(db: Db, where: RawBuilder<unknown>, otherwise: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from items where ${where} limit 1`.execute(db);
  return rows[0]?.seq ?? otherwise;
}

const toStoredTime = (time: string): string => new Date(time).toISOString();
