import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

/** One writer at a time: one row, counted up and down. */
const sqliteTotals: readonly string[] = (
  [
    ['insert', 'new', '+'],
    ['delete', 'old', '-'],
  ] as const
).map(
  ([event, row, sign]) => `create trigger images_totalled_${event} after ${event} on item_images begin
    update image_totals set images = images ${sign} 1, bytes = bytes ${sign} ${row}.file_size;
  end`,
);

/**
 * Many writers at a time, which must not wait for each other on one row: each statement adds a row of its own, and every
 * eighth or so adds them all together.
 */
const postgresTotals: readonly string[] = [
  `create function total_images() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into image_totals (images, bytes)
      select sign * count(*), sign * sum(file_size) from changed having count(*) > 0;
    if random() < 0.125 and pg_try_advisory_xact_lock(hashtext('image_totals')) then
      with gone as (delete from image_totals returning images, bytes)
      insert into image_totals (images, bytes) select sum(images), sum(bytes) from gone having count(*) > 0;
    end if;
    return null;
  end $$`,
  ...(
    [
      ['insert', 'new'],
      ['delete', 'old'],
    ] as const
  ).map(
    ([event, row]) => `create trigger images_totalled_${event} after ${event} on item_images
    referencing ${row} table as changed for each statement execute function total_images()`,
  ),
];

export const migration0006: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('image_totals')
      .addColumn('images', 'integer', (c) => c.notNull())
      .addColumn('bytes', 'double precision', (c) => c.notNull())
      .execute();
    await sql`insert into image_totals (images, bytes)
      select count(*), coalesce(sum(file_size), 0) from item_images`.execute(db);
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const statement of isPostgres ? postgresTotals : sqliteTotals) await sql.raw(statement).execute(db);
  },
};
