import type { Insertable, Selectable, Updateable } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type {
  Db,
  HoldsTable,
  RetentionRuleRow,
  RetentionRulesTable,
  RetentionRunRow,
  RetentionRunsTable,
  Trx,
} from '../../storage/database.ts';

export type RetentionStore = ReturnType<typeof createRetentionStore>;
type HoldRow = Selectable<HoldsTable>;

/** Rules, holds and runs. */
export function createRetentionStore(db: Db) {
  const count = (row: { count: number | string } | undefined): number => Number(row?.count ?? 0);
  return {
    listRules: (trx: Db | Trx = db): Promise<RetentionRuleRow[]> =>
      trx.selectFrom('retention_rules').selectAll().orderBy('name').orderBy('retention_id').execute(),

    findRule: (id: string): Promise<RetentionRuleRow | undefined> =>
      db.selectFrom('retention_rules').selectAll().where('retention_id', '=', id).executeTakeFirst(),

    async insertRule(trx: Trx, rule: Insertable<RetentionRulesTable>): Promise<void> {
      await trx.insertInto('retention_rules').values(rule).execute();
    },

    async updateRule(trx: Trx, id: string, changes: Updateable<RetentionRulesTable>): Promise<void> {
      await trx.updateTable('retention_rules').set(changes).where('retention_id', '=', id).execute();
    },

    async deleteRule(trx: Trx, id: string): Promise<void> {
      await trx.deleteFrom('retention_rules').where('retention_id', '=', id).execute();
    },

    /** The stations that name a rule. */
    listStations: (trx: Db | Trx = db) =>
      trx
        .selectFrom('stations')
        .select(['station_id', 'name', 'retention_id'])
        .where('retention_id', 'is not', null)
        .orderBy('name')
        .execute(),

    listHolds: (): Promise<HoldRow[]> =>
      db.selectFrom('holds').selectAll().orderBy('created_at', 'desc').orderBy('hold_id').execute(),

    async insertHold(trx: Trx, hold: Insertable<HoldsTable>, itemIds: readonly string[]): Promise<void> {
      await trx.insertInto('holds').values(hold).execute();
      for (const part of chunks(itemIds)) {
        const rows = part.map((item_id) => ({ item_id, hold_id: hold.hold_id }));
        await trx.insertInto('held_items').values(rows).execute();
      }
    },

    /** @returns the hold that was deleted. */
    async deleteHold(trx: Trx, id: string): Promise<HoldRow | undefined> {
      await trx.deleteFrom('held_items').where('hold_id', '=', id).execute();
      return trx.deleteFrom('holds').where('hold_id', '=', id).returningAll().executeTakeFirst();
    },

    async insertRun(trx: Db | Trx, run: Insertable<RetentionRunsTable>): Promise<void> {
      await trx.insertInto('retention_runs').values(run).execute();
    },

    async updateRun(trx: Db | Trx, id: string, changes: Updateable<RetentionRunsTable>): Promise<void> {
      await trx.updateTable('retention_runs').set(changes).where('run_id', '=', id).execute();
    },

    /** The run that waits, or was interrupted. */
    findOpenRun: (trx: Db | Trx = db): Promise<RetentionRunRow | undefined> =>
      trx
        .selectFrom('retention_runs')
        .selectAll()
        .where('status', 'in', ['waiting', 'running'])
        .orderBy('started_at')
        .limit(1)
        .executeTakeFirst(),

    findRun: (id: string): Promise<RetentionRunRow | undefined> =>
      db.selectFrom('retention_runs').selectAll().where('run_id', '=', id).executeTakeFirst(),

    async hasDailyRunSince(time: string): Promise<boolean> {
      const runs = db.selectFrom('retention_runs').select('run_id').where('cause', '=', 'daily');
      return (await runs.where('started_at', '>=', time).limit(1).executeTakeFirst()) !== undefined;
    },

    /** Newest first. */
    listRuns: (limit: number, offset = 0): Promise<RetentionRunRow[]> =>
      db
        .selectFrom('retention_runs')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('run_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),

    listRunsSince: (time: string): Promise<Pick<RetentionRunRow, 'removed'>[]> =>
      db.selectFrom('retention_runs').select('removed').where('started_at', '>=', time).execute(),

    countRuns: async (): Promise<number> =>
      count(
        await db
          .selectFrom('retention_runs')
          .select((builder) => builder.fn.countAll<number | string>().as('count'))
          .executeTakeFirst(),
      ),

    /** Of all runs together. */
    async sumRuns(): Promise<{ images: number; records: number; bytes: number }> {
      const sums = await db
        .selectFrom('retention_runs')
        .select((builder) => [
          builder.fn.sum<number | string | null>('images').as('images'),
          builder.fn.sum<number | string | null>('records').as('records'),
          builder.fn.sum<number | string | null>('bytes').as('bytes'),
        ])
        .executeTakeFirst();
      return {
        images: Number(sums?.images ?? 0),
        records: Number(sums?.records ?? 0),
        bytes: Number(sums?.bytes ?? 0),
      };
    },
  };
}
