import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { bucketSizes } from '../../storage/tables/list-counts.table.ts';
import { type CountedList, mostParts, type SeqRange, type Stretch, selectStretch } from './select-listed.store.ts';

export interface ListStretch extends Stretch {
  /** How many of its items are in the list. */
  readonly items: number;
  /** How many of the list are in all newer stretches. */
  readonly newer: number;
}

/** Items of the list's facets that are in one bucket. */
interface Counted extends SeqRange {
  readonly items: number;
  /** 1 all of them are in the list's time, -1 none is, 0 some may be. */
  readonly whole: number;
}

/**
 * Where the list's items are, newest first; those after the newest `skip`, `count` of them, in short stretches or in such
 * as hold nothing else. Only of short stretches that an end of the list's time cuts are items read.
 */
export async function readStretches(db: Db, list: CountedList, skip: number, count: number): Promise<ListStretch[]> {
  if (list.facets.length === 0) return [];
  const counts = selectCounts(db, list, bucketSizes.large).orderBy('bucket', 'desc');
  const large = (await counts.execute()).map((row) => toCounted(row, bucketSizes.large));
  const split = rangesToSplit(large, skip, count);
  if (split.length === 0) return toStretches(large);
  const small = (await selectSmall(db, list, split).execute()).map((row) => toCounted(row, bucketSizes.small));
  const kept = large.filter((one) => !split.some(({ above, below }) => one.above >= above && one.below <= below));
  return toStretches([...kept, ...small].sort((one, other) => other.above - one.above));
}

interface CountRow {
  readonly bucket: number;
  readonly items: number | string;
  readonly whole: number;
}

const toCounted = ({ bucket, items, whole }: CountRow, size: number): Counted => ({
  ...{ above: bucket * size, below: (bucket + 1) * size },
  ...{ items: Number(items), whole },
});

/** Large buckets that an end of the list's time cuts, or that hold some of the items asked for and others too. */
function rangesToSplit(large: readonly Counted[], skip: number, count: number): SeqRange[] {
  const ranges: SeqRange[] = [];
  let [least, most] = [0, 0];
  for (const { above, below, items, whole } of large) {
    if (whole < 0) continue;
    const holdsSome = most + items > skip && least < skip + count;
    const holdsOthers = least < skip || most + items > skip + count;
    if (whole === 0 || (holdsSome && holdsOthers)) {
      const newer = ranges.at(-1);
      if (newer?.above === below) ranges[ranges.length - 1] = { ...newer, above };
      else ranges.push({ above, below });
    }
    if (whole > 0) least += items;
    most += items;
  }
  const [newest, oldest] = [ranges[0], ranges.at(-1)];
  return newest && oldest && ranges.length > mostParts ? [{ above: oldest.above, below: newest.below }] : ranges;
}

/** Of buckets that are in order. */
function toStretches(counted: readonly Counted[]): ListStretch[] {
  const stretches: ListStretch[] = [];
  let newer = 0;
  let outside = 0;
  for (const { above, below, items, whole } of counted) {
    if (whole < 0) outside++;
    if (whole < 0 || items <= 0) continue;
    stretches.push({ above, below, whole: whole > 0, outside, items, newer });
    newer += items;
  }
  return stretches;
}

/** Those of the stretches that hold any of the items after the newest `skip`, `count` of them. */
export const holding = (stretches: readonly ListStretch[], skip: number, count: number): ListStretch[] =>
  stretches.filter(({ items, newer }) => newer + items > skip && newer < skip + count);

export function totalOf(stretches: readonly ListStretch[]): number {
  const oldest = stretches.at(-1);
  return oldest ? oldest.newer + oldest.items : 0;
}

const selectCounts = (db: Db, list: CountedList, size: number) =>
  db
    .selectFrom('list_counts')
    .select(['bucket', (builder) => builder.fn.sum<number | string>('count').as('items')])
    .select(wholeness(list).as('whole'))
    .where('scope', '=', list.modelId ?? 'items')
    .where('size', '=', size)
    .where('facet', 'in', [...list.facets])
    .groupBy('bucket');

function selectSmall(db: Db, list: CountedList, ranges: readonly SeqRange[]) {
  const size = bucketSizes.small;
  const parts = ranges.map((range) =>
    selectCounts(db, list, size)
      .where('bucket', '>=', range.above / size)
      .where('bucket', '<', range.below / size),
  );
  const counted = parts.reduce((all, part) => all.unionAll(part)).as('counted');
  if (!isTimed(list)) return db.selectFrom(counted).selectAll();
  const above = sql`bucket * ${sql.lit(size)}`;
  const cut = selectStretch(list, { above, below: sql`${above} + ${sql.lit(size)}`, whole: false });
  return db
    .selectFrom(counted)
    .select(['bucket', 'whole'])
    .select(
      sql<number | string>`case whole when 0 then (select count(*) from (${cut}) as listed) else items end`.as('items'),
    );
}

const isTimed = ({ from, until }: CountedList): boolean => from !== undefined || until !== undefined;

/** Where times are not kept, some of the items may be in the list's time. */
function wholeness(list: CountedList): RawBuilder<number> {
  if (!isTimed(list)) return sql`1`;
  const { from, until } = list;
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
  return sql`case when ${sql.join(whole, sql` and `)} then 1
    when ${sql.join(outside, sql` or `)} then -1 else 0 end`;
}
