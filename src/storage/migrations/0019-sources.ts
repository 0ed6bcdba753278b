import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

const ofStation = 'station_id text not null references stations (station_id) on delete cascade';

const statements: readonly string[] = [
  `create table station_files (
    ${ofStation}, path text not null, size double precision not null, modified double precision not null,
    hash text not null, item_id text, problem text, seen_at text not null,
    constraint station_files_key primary key (station_id, path)
  )`,
  `create table ftp_logins (
    ${ofStation}, user_name text not null unique, secret_hash text not null, created_at text not null,
    constraint ftp_logins_key primary key (station_id)
  )`,
  `create table ftp_uploads (
    item_id text primary key, ${ofStation}, path text not null, hash text not null,
    awaits_name integer not null, created_at text not null
  )`,
  'create index ftp_uploads_by_hash on ftp_uploads (station_id, hash)',
  `create table station_leases (
    ${ofStation}, holder text not null, until double precision not null, state text not null,
    constraint station_leases_key primary key (station_id)
  )`,
];

/** An FTP client may rename what it has sent. */
const sqliteRename = `create trigger items_renamed after update of folded_name on items begin
  delete from item_names where rowid = old.seq;
  insert into item_names (rowid, folded_name) values (new.seq, new.folded_name);
end`;

/** What the sources of stations must remember over a restart. */
export const sourcesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const statement of [...statements, ...(isPostgres ? [] : [sqliteRename])]) {
      await sql.raw(statement).execute(db);
    }
  },
};
