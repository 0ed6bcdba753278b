import { type Kysely, sql } from 'kysely';
import { bucketSizes } from './tables/list-counts.table.ts';

/** Computes anew what the triggers of migration 0015 keep: for data that came in without them. Rows that are right stay untouched. */
export async function rebuildListCounts(db: Kysely<unknown>): Promise<void> {
  await sql`update items set verdicts = found.bits from (
      select item_id, max(case result when 'OK' then 1 else 0 end) + max(case result when 'NG' then 2 else 0 end) as bits
      from assessments group by item_id
    ) as found where found.item_id = items.item_id and items.verdicts <> found.bits`.execute(db);
  await sql`update assessments set item_seq = placed.seq, facet = placed.facet from (
      select assessments.seq as assessment, items.seq,
        items.facet % 6 + 6 * (case result when 'OK' then 1 else 2 end) as facet
      from assessments join items on items.item_id = assessments.item_id
    ) as placed where placed.assessment = assessments.seq
      and (item_seq is distinct from placed.seq or assessments.facet is distinct from placed.facet)`.execute(db);
  await sql`delete from list_counts`.execute(db);
  for (const size of Object.values(bucketSizes).map((one) => sql.lit(one))) {
    await sql`insert into list_counts (scope, size, bucket, facet, count, first_at, last_at)
      select 'items', ${size}, seq / ${size}, facet, count(*), min(created_at), max(created_at)
      from items group by 3, 4`.execute(db);
    await sql`insert into list_counts (scope, size, bucket, facet, count, first_at, last_at)
      select model_id, ${size}, item_seq / ${size}, assessments.facet, count(*), min(created_at), max(created_at)
      from assessments join items on items.seq = item_seq group by 1, 3, 4`.execute(db);
  }
}
