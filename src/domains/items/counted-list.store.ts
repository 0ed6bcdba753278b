import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { ItemRow } from './item-rows.ts';

/** As in migration 0005. */
const bucketSize = 2048;

/** A list whose length is kept: of all items, or of those that a model assessed, with any of the facets. */
export interface CountedList {
  readonly modelId: string | undefined;
  readonly facets: readonly number[];
}

/** The page of items, newest first, after `skip` of them. Its cost does not grow with `skip`. */
export async function readCountedPage(
  db: Db,
  list: CountedList,
  skip: number,
  count: number,
): Promise<{ items: ItemRow[]; total: number }> {
  if (list.facets.length === 0) return { items: [], total: 0 };
  const buckets = await db
    .selectFrom('list_counts')
    .select(['bucket', (builder) => builder.fn.sum<number | string>('count').as('items')])
    .where('scope', '=', list.modelId ?? 'items')
    .where('facet', 'in', [...list.facets])
    .groupBy('bucket')
    .orderBy('bucket', 'desc')
    .execute();
  let total = 0;
  let start: { below: number; skip: number } | undefined;
  for (const { bucket, items } of buckets) {
    if (skip < total + Number(items)) start ??= { below: (bucket + 1) * bucketSize, skip: skip - total };
    total += Number(items);
  }
  if (!start) return { items: [], total };
  const seqs = await readSeqs(db, list, start, count);
  if (seqs.length === 0) return { items: [], total };
  return {
    items: await db.selectFrom('items').selectAll().where('seq', 'in', seqs).orderBy('seq', 'desc').execute(),
    total,
  };
}

/** Each facet lies in the index in the order of seq; the newest of each are merged. */
async function readSeqs(
  db: Db,
  { modelId, facets }: CountedList,
  start: { below: number; skip: number },
  count: number,
): Promise<number[]> {
  const limit = start.skip + count;
  const parts = facets.map((facet) =>
    modelId === undefined
      ? sql`select * from (select seq from items
          where facet = ${facet} and seq < ${start.below} order by seq desc limit ${limit}) as one`
      : sql`select * from (select item_seq as seq from assessments
          where model_id = ${modelId} and facet = ${facet} and item_seq < ${start.below}
          order by item_seq desc limit ${limit}) as one`,
  );
  const merged = sql<{ seq: number }>`${sql.join(parts, sql` union all `)}
    order by seq desc limit ${count} offset ${start.skip}`;
  return (await merged.execute(db)).rows.map((row) => row.seq);
}
