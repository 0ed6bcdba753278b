import { type Kysely, sql } from 'kysely';

/** Computes anew what the triggers of migration 0005 keep: for data that came in without them. */
export async function rebuildListCounts(db: Kysely<unknown>): Promise<void> {
  await sql`update items set verdicts = found.bits from (
      select item_id, max(case result when 'OK' then 1 else 0 end) + max(case result when 'NG' then 2 else 0 end) as bits
      from assessments group by item_id
    ) as found where found.item_id = items.item_id and items.verdicts <> found.bits`.execute(db);
  await sql`update assessments set item_seq = items.seq,
      facet = items.facet % 6 + 6 * (case result when 'OK' then 1 else 2 end)
    from items where items.item_id = assessments.item_id`.execute(db);
  await sql`delete from list_counts`.execute(db);
  await sql`insert into list_counts (scope, bucket, facet, count)
    select 'items', seq / 2048, facet, count(*) from items group by 2, 3`.execute(db);
  await sql`insert into list_counts (scope, bucket, facet, count)
    select model_id, item_seq / 2048, facet, count(*) from assessments where item_seq is not null group by 1, 2, 3`.execute(
    db,
  );
}
