import { type Kysely, sql } from 'kysely';

/** Computes anew what the triggers of migration 0010 keep: for data that came in without them. */
export async function rebuildNameGrams(db: Kysely<unknown>): Promise<void> {
  await sql`delete from item_name_grams`.execute(db);
  // In the order of the index, which is then written from one end to the other.
  await sql`with recursive place(i) as (
      select 1 union all select i + 1 from place where i < (select max(length(folded_name)) from items)
    ) insert into item_name_grams (gram, seq)
    select distinct substr(folded_name, i, 4), seq from items join place on i <= length(folded_name) order by 1, 2`.execute(
    db,
  );
}
