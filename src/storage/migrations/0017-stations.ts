import { type Kysely, type Migration, sql } from 'kysely';

const statements: readonly string[] = [
  `create table stations (
    station_id text primary key, name text not null, enabled integer not null, target_id integer not null,
    model_id text, source text not null, name_pattern text, outputs text not null, retention_id text,
    created_at text not null, updated_at text not null
  )`,
  'alter table items add column serial text',
  'alter table items add column lot text',
  'alter table items add column station_id text',
  'alter table items add column fields text',
  'create index items_by_serial on items (serial, seq) where serial is not null',
  'create index items_by_lot on items (lot, seq) where lot is not null',
  'create index items_by_station on items (station_id, seq) where station_id is not null',
];

/** Stations, and on each item what it is of. */
export const stationsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
