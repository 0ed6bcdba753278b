import { type Kysely, sql } from 'kysely';

/** Computes anew what the triggers of migration 0005 keep: for data that came in without them. */
export async function rebuildListCounts(db: Kysely<unknown>): Promise<void> {
  await sql`update items set verdicts =
    coalesce((select max(1) from assessments a where a.item_id = items.item_id and a.result = 'OK'), 0) +
    coalesce((select max(2) from assessments a where a.item_id = items.item_id and a.result = 'NG'), 0)
    where exists (select 1 from assessments a where a.item_id = items.item_id)`.execute(db);
  await sql`update assessments set
    item_seq = (select seq from items where items.item_id = assessments.item_id),
    facet = (select facet % 6 from items where items.item_id = assessments.item_id) +
      6 * (case result when 'OK' then 1 else 2 end)`.execute(db);
  await sql`delete from list_counts`.execute(db);
  await sql`insert into list_counts (scope, bucket, facet, count)
    select 'items', seq / 2048, facet, count(*) from items group by 2, 3`.execute(db);
  await sql`insert into list_counts (scope, bucket, facet, count)
    select model_id, item_seq / 2048, facet, count(*) from assessments where item_seq is not null group by 1, 2, 3`.execute(
    db,
  );
}
