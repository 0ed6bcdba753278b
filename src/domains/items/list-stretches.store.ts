import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { type CountedList, type SeqRange, selectSeqs } from './select-facets.store.ts';

/** As in migration 0005. */
const bucketSize = 2048;

/** Items that came one after another, and how many of them are in the list. */
export interface ListStretch extends SeqRange {
  readonly items: number;
}

/** The stretches that hold items of the list, newest first. Only where one is cut by an end of the time are its items read. */
export async function readStretches(db: Db, list: CountedList): Promise<ListStretch[]> {
  if (list.facets.length === 0) return [];
  const counted = db
    .selectFrom('list_counts')
    .select(['bucket', (builder) => builder.fn.sum<number | string>('count').as('items')])
    .where('scope', '=', list.modelId ?? 'items')
    .where('facet', 'in', [...list.facets])
    .groupBy('bucket')
    .orderBy('bucket', 'desc');
  if (list.from === undefined && list.until === undefined)
    return (await counted.execute()).map(toStretch).filter(holdsItems);
  const timed = counted.select((builder) => [
    builder.fn.min('first_at').as('first'),
    builder.fn.max('last_at').as('last'),
  ]);
  const stretches: ListStretch[] = [];
  for (const { first, last, ...counts } of await timed.execute()) {
    const stretch = toStretch(counts);
    if (!holdsItems(stretch) || !meets(list, first, last)) continue;
    if (liesWithin(list, first, last)) stretches.push(stretch);
    else stretches.push({ ...stretch, items: await countItems(db, list, stretch) });
  }
  return stretches.filter(holdsItems);
}

const toStretch = ({ bucket, items }: { bucket: number; items: number | string }): ListStretch => ({
  items: Number(items),
  above: bucket * bucketSize,
  below: (bucket + 1) * bucketSize,
});

const holdsItems = ({ items }: ListStretch): boolean => items > 0;

function meets({ from, until }: CountedList, first: string | null, last: string | null): boolean {
  return (
    (from === undefined || last === null || last >= from) && (until === undefined || first === null || first < until)
  );
}

function liesWithin({ from, until }: CountedList, first: string | null, last: string | null): boolean {
  return (
    (from === undefined || (first !== null && first >= from)) &&
    (until === undefined || (last !== null && last < until))
  );
}

async function countItems(db: Db, list: CountedList, range: SeqRange): Promise<number> {
  const found = sql<{ items: number | string }>`select count(*) as items
    from (${selectSeqs(list, sql`in (${sql.join([...list.facets])})`, range)}) as found`;
  return Number((await found.execute(db)).rows[0]?.items ?? 0);
}
