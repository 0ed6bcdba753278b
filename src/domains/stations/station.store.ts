import { PostgresAdapter, type Updateable } from 'kysely';
import type { Db, StationRow, StationsTable, Trx } from '../../storage/database.ts';

export type StationStore = ReturnType<typeof createStationStore>;

export function createStationStore(db: Db) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const stationOf = (trx: Db | Trx, stationId: string) =>
    trx.selectFrom('stations').selectAll().where('station_id', '=', stationId);

  return {
    listStations: (): Promise<StationRow[]> =>
      db.selectFrom('stations').selectAll().orderBy('name').orderBy('station_id').execute(),

    findStation: (stationId: string): Promise<StationRow | undefined> => stationOf(db, stationId).executeTakeFirst(),

    /** The station, which no other transaction locks or changes before this one ends. SQLite has one writer anyway. */
    lockStation(trx: Trx, stationId: string): Promise<StationRow | undefined> {
      const station = stationOf(trx, stationId);
      return (isPostgres ? station.forNoKeyUpdate() : station).executeTakeFirst();
    },

    async insertStation(station: StationRow, trx: Trx): Promise<void> {
      await trx.insertInto('stations').values(station).execute();
    },

    /** Waits for the transactions that hold the station. @returns whether it exists. */
    async updateStation(stationId: string, changes: Updateable<StationsTable>, trx: Db | Trx = db): Promise<boolean> {
      const changed = { ...changes, updated_at: new Date().toISOString() };
      const update = trx.updateTable('stations').set(changed).where('station_id', '=', stationId);
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async deleteStation(stationId: string, trx: Trx): Promise<boolean> {
      const deletion = trx.deleteFrom('stations').where('station_id', '=', stationId);
      return (await deletion.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}
