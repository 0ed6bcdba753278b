import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { toPattern } from './name-grams.ts';

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

/** Items that came one after another. */
export interface Stretch extends SeqRange {
  /** All of them are in the list's time. */
  readonly whole: boolean;
  /** How many newer stretches with items of the list's facets have none in its time. */
  readonly outside: number;
}

/** Of a statement. More would take a database long to plan, and SQLite takes 500 at most. */
export const mostParts = 20;

/** The list's items (`seq`) in the stretches, which hold all of it from the first to the last; given a name, those that have it. */
export function selectListed(list: CountedList, stretches: readonly Stretch[], name?: string): RawBuilder<unknown> {
  const parts: Stretch[] = [];
  for (const stretch of stretches) {
    const newer = parts.at(-1);
    // Between them there is nothing that times would leave out.
    if (newer?.whole && stretch.whole && newer.outside === stretch.outside) {
      parts[parts.length - 1] = { ...newer, above: stretch.above };
    } else parts.push(stretch);
  }
  const [newest, oldest] = [parts[0], parts.at(-1)];
  if (newest && oldest && parts.length > mostParts) {
    return selectStretch(list, { above: oldest.above, below: newest.below, whole: false }, name);
  }
  return sql.join(
    parts.map((part) => selectStretch(list, part, name)),
    sql` union all `,
  );
}

/** The list's items (`seq`) in one stretch, whose ends may be expressions; short, where it isn't whole. */
export function selectStretch(
  list: CountedList,
  { above, below, whole }: { above: unknown; below: unknown; whole: boolean },
  name?: string,
): RawBuilder<unknown> {
  const facets = sql.join([...list.facets]);
  const named = name === undefined ? sql`` : sql` and ${hasName(name)}`;
  const so = whole ? named : sql`${inTime(list)}${named}`;
  if (list.modelId === undefined) {
    return sql`select seq from items where facet in (${facets}) and seq >= ${above} and seq < ${below}${so}`;
  }
  const judged = sql`model_id = ${list.modelId} and assessments.facet in (${facets})
    and item_seq >= ${above} and item_seq < ${below}`;
  if (whole && name === undefined) return sql`select item_seq as seq from assessments where ${judged}`;
  // A subquery for each of many: a join might be made the other way round, through all items.
  if (whole) {
    return sql`select item_seq as seq from assessments
      where ${judged} and (select 1 from items where items.seq = item_seq${so}) = 1`;
  }
  // So few that they may be joined either way, which takes PostgreSQL a third of what a subquery for each does; crosswise,
  // since SQLite then begins with the assessments.
  return sql`select item_seq as seq from assessments cross join items
    where ${judged} and items.seq = item_seq and items.seq >= ${above} and items.seq < ${below}${so}`;
}

/** Condition on an item's name. */
export const hasName = (name: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`items.folded_name like ${toPattern(name)} escape '\\'`;

/** Condition on `items.created_at`. */
export function inTime({ from, until }: CountedList): RawBuilder<unknown> {
  const since = from === undefined ? sql`` : sql` and items.created_at >= ${from}`;
  return until === undefined ? since : sql`${since} and items.created_at < ${until}`;
}
