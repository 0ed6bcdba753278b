import { PostgresAdapter, sql } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { Db, StationFileRow, Trx } from '../../storage/database.ts';

export type SourcesStore = ReturnType<typeof createSourcesStore>;

const leaseSeconds = 15;

export function createSourcesStore(db: Db) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;

  return {
    /** The rows of the files among `paths` that the station knows. */
    async findFiles(stationId: string, paths: readonly string[]): Promise<StationFileRow[]> {
      const rows: StationFileRow[] = [];
      for (const part of chunks(paths)) {
        const query = db.selectFrom('station_files').selectAll().where('station_id', '=', stationId);
        rows.push(...(await query.where('path', 'in', part).execute()));
      }
      return rows;
    },

    /** Takes the place of what was known of the path. */
    async saveFile(row: StationFileRow, trx: Db | Trx = db): Promise<void> {
      const { station_id: _, path: __, ...changes } = row;
      await trx
        .insertInto('station_files')
        .values(row)
        .onConflict((conflict) => conflict.columns(['station_id', 'path']).doUpdateSet(changes))
        .execute();
    },

    /** Notes that the item of a file is stored. @returns false where another server has stored the same image. */
    async claimFile(row: StationFileRow, trx: Trx): Promise<boolean> {
      const { station_id: _, path: __, ...changes } = row;
      const claim = trx
        .insertInto('station_files')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['station_id', 'path'])
            .doUpdateSet(changes)
            .where((where) =>
              where.or([where('station_files.hash', '<>', row.hash), where('station_files.item_id', 'is', null)]),
            ),
        );
      return ((await claim.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async deleteFiles(stationId: string, paths: readonly string[]): Promise<void> {
      for (const part of chunks(paths)) {
        await db.deleteFrom('station_files').where('station_id', '=', stationId).where('path', 'in', part).execute();
      }
    },

    /** Paths of the station's files in their order, after `after`, that were seen before `seenBefore`. */
    async listPaths(stationId: string, seenBefore: string, after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('station_files')
        .select('path')
        .where('station_id', '=', stationId)
        .where('path', '>', after)
        .where('seen_at', '<', seenBefore)
        .orderBy('path')
        .limit(limit)
        .execute();
      return rows.map(({ path }) => path);
    },

    /**
     * Takes the station's source for this server, or keeps it, and leaves its state for the others. One server alone has
     * an embedded database. @returns whether this server serves it.
     */
    async holdLease(stationId: string, holder: string, state: string): Promise<boolean> {
      if (!isPostgres) return true;
      const now = sql<number>`extract(epoch from clock_timestamp())::double precision`;
      const { rows } = await sql`insert into station_leases (station_id, holder, until, state)
        select station_id, ${holder}, ${now} + ${leaseSeconds}, ${state} from stations where station_id = ${stationId}
        on conflict (station_id) do update
        set holder = excluded.holder, until = excluded.until, state = excluded.state
        where station_leases.holder = excluded.holder or station_leases.until < ${now}
        returning station_id`.execute(db);
      return rows.length > 0;
    },

    async releaseLease(stationId: string, holder: string): Promise<void> {
      if (!isPostgres) return;
      await db.deleteFrom('station_leases').where('station_id', '=', stationId).where('holder', '=', holder).execute();
    },

    /** The state that the server which serves the source left; undefined where none does. */
    async findLeaseState(stationId: string): Promise<string | undefined> {
      if (!isPostgres) return undefined;
      const now = sql<number>`extract(epoch from clock_timestamp())`;
      const query = db.selectFrom('station_leases').select('state').where('station_id', '=', stationId);
      return (await query.where('until', '>', now).executeTakeFirst())?.state;
    },
  };
}
