import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

function tables(isPostgres: boolean): readonly string[] {
  return [
    `create table retention_rules (
      retention_id text primary key, name text not null, everywhere integer not null,
      ok_days integer, ng_days integer, unjudged_days integer, record_days integer,
      keep_thumbnails integer not null, when_short text not null, created_at text not null, updated_at text not null
    )`,
    'create table holds (hold_id text primary key, reason text not null, filter text, created_at text not null)',
    `create table held_items (
      item_id text not null, hold_id text not null, constraint held_items_key primary key (item_id, hold_id)
    )`,
    `create table thumbnails (
      item_id text not null, position integer not null, webp ${isPostgres ? 'bytea' : 'blob'} not null,
      constraint thumbnails_key primary key (item_id, position)
    )`,
    `create table retention_runs (
      run_id text primary key, cause text not null, status text not null, started_at text not null, ended_at text,
      items integer not null, images integer not null, records integer not null, bytes double precision not null,
      removed text not null, free_before double precision, free_after double precision, status_text text
    )`,
    'create index retention_runs_by_time on retention_runs (started_at)',
    'alter table items add column images_removed_at text',
    'alter table items add column thumbnails_kept integer not null default 0',
    'create index items_with_images on items (list_kind, created_at, seq) where images_removed_at is null',
    'create index model_items_by_item on model_items (item_id)',
    `create index deliveries_waiting on deliveries (item_id) where status = 'pending'`,
  ];
}

/** The number and bytes of images are those of images that are there. */
const sqliteCounts: readonly string[] = [
  'drop trigger images_counted_out',
  `create trigger images_counted_out after delete on item_images
  when (select images_removed_at from items where item_id = old.item_id) is null begin
    update counts set count = count - 1, bytes = bytes - old.file_size where scope = 'images' and list_kind = 0;
  end`,
  `create trigger images_removed after update of images_removed_at on items
  when old.images_removed_at is null and new.images_removed_at is not null begin
    update counts set
      count = count - (select count(*) from item_images where item_id = new.item_id),
      bytes = bytes - (select coalesce(sum(file_size), 0) from item_images where item_id = new.item_id)
    where scope = 'images' and list_kind = 0;
  end`,
];

const postgresCounts: readonly string[] = [
  `create or replace function count_images() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then perform count_in('images', 0, 1, new.file_size);
    elsif not exists (select 1 from items where item_id = old.item_id and images_removed_at is not null) then
      perform count_in('images', 0, -1, -old.file_size);
    end if;
    return null;
  end $$`,
  `create function count_removed_images() returns trigger language plpgsql as $$ begin
    perform count_in('images', 0, -count(*)::integer, -coalesce(sum(file_size), 0)::double precision)
      from item_images where item_id = new.item_id;
    return null;
  end $$`,
  `create trigger images_removed after update of images_removed_at on items for each row
  when (old.images_removed_at is null and new.images_removed_at is not null)
  execute function count_removed_images()`,
];

/** Rules by which images and records go, holds that keep them, runs that removed them. */
export const retentionMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const statement of [...tables(isPostgres), ...(isPostgres ? postgresCounts : sqliteCounts)]) {
      await sql.raw(statement).execute(db);
    }
  },
};
