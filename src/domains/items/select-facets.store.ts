import { type RawBuilder, sql } from 'kysely';

/** A list whose length is kept: of all items, or of those that a model assessed, with any of the facets, of any stretch of time. */
export interface CountedList {
  readonly modelId: string | undefined;
  readonly facets: readonly number[];
  /** ISO 8601 with milliseconds, as items have it. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/** Numbers of items: `above` and over, under `below`. */
export interface SeqRange {
  readonly above: number;
  readonly below: number;
}

/** Condition on `items.created_at`. */
export function inTime({ from, until }: CountedList): RawBuilder<unknown> {
  const since = from === undefined ? sql`` : sql` and items.created_at >= ${from}`;
  return until === undefined ? since : sql`${since} and items.created_at < ${until}`;
}

/** One select of `seq` for each facet, because each facet lies in the index in that order. */
export function selectFacets(list: CountedList, range: SeqRange): RawBuilder<unknown>[] {
  return list.facets.map((facet) => selectSeqs(list, sql`= ${facet}`, range));
}

/** `facet` is the condition on it. */
export function selectSeqs(
  list: CountedList,
  facet: RawBuilder<unknown>,
  { above, below }: SeqRange,
): RawBuilder<unknown> {
  if (list.modelId === undefined) {
    return sql`select seq from items where facet ${facet} and seq >= ${above} and seq < ${below}${inTime(list)}`;
  }
  return sql`select item_seq as seq from assessments where model_id = ${list.modelId} and facet ${facet}
    and item_seq >= ${above} and item_seq < ${below}${itemInTime(list)}`;
}

/** A subquery for each row: a join might be made the other way round, through all items. */
function itemInTime(list: CountedList): RawBuilder<unknown> {
  if (list.from === undefined && list.until === undefined) return sql``;
  return sql` and (select 1 from items where items.seq = assessments.item_seq${inTime(list)}) = 1`;
}
