import { type Kysely, type Migration, sql } from 'kysely';

const statements: readonly string[] = [
  'alter table deliveries add column station_id text',
  'alter table deliveries add column output text',
  'create index deliveries_by_station on deliveries (station_id, delivery_id) where station_id is not null',
  `create index station_deliveries_waiting on deliveries (output, delivery_id)
    where station_id is not null and status = 'pending'`,
];

/** The outbox takes the results of stations too. */
export const stationOutputsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
