import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** What the database says of predictions, read past the service. */
export interface JobBoard {
  /** Names under which processes hold jobs. */
  listWorkers(): Promise<string[]>;
  /** Of these items, those whose prediction is held by none of the workers named. */
  listHeld(itemIds: readonly string[], butNotBy: readonly string[]): Promise<string[]>;
  listUndone(itemIds: readonly string[]): Promise<string[]>;
  countDone(itemIds: readonly string[]): Promise<number>;
  /** @throws Error where some still wait after that many seconds. */
  waitForAll(itemIds: readonly string[], seconds: number): Promise<void>;
  /** When each was done, in milliseconds since 1970. */
  timesOf(itemIds: readonly string[]): Promise<number[]>;
  /** Predictions a second between the first and the last of these items. */
  rateOf(itemIds: readonly string[]): Promise<number>;
  readVerdicts(itemIds: readonly string[]): Promise<{ id: string; name: string; score: string; at: string }[]>;
  close(): Promise<void>;
}

export function openJobBoard(url: string): JobBoard {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const list = async (query: string, values: unknown[]): Promise<string[]> =>
    (await pool.query<{ id: string }>(query, values)).rows.map((row) => row.id);
  const board: JobBoard = {
    listWorkers: () => list('select worker_id as id from job_workers', []),
    listHeld: (itemIds, butNotBy) =>
      list(
        `select payload->>'itemId' as id from graphile_worker._private_jobs
         where payload->>'itemId' = any($1) and locked_by is not null and locked_by <> all($2)`,
        [itemIds, butNotBy],
      ),
    listUndone: (itemIds) =>
      list(`select item_id as id from items where item_id = any($1) and status <> 'done'`, [itemIds]),
    countDone: async (itemIds) => itemIds.length - (await board.listUndone(itemIds)).length,
    async waitForAll(itemIds, seconds) {
      for (const deadline = Date.now() + seconds * 1000; ; await pause(50)) {
        const undone = await board.listUndone(itemIds);
        if (undone.length === 0) return;
        if (Date.now() > deadline) throw new Error(`${undone.length} predictions still wait after ${seconds} s.`);
      }
    },
    timesOf: async (itemIds) => (await board.readVerdicts(itemIds)).map(({ at }) => Date.parse(at)),
    async rateOf(itemIds) {
      const times = await board.timesOf(itemIds);
      return ((times.length - 1) * 1000) / (Math.max(...times) - Math.min(...times));
    },
    async readVerdicts(itemIds) {
      const { rows } = await pool.query<{ id: string; name: string; score: string; at: string }>(
        `select item_id as id, items.name, anomaly_score as score, predicted_at as at
         from assessments join items using (item_id) where item_id = any($1) order by item_id, model_id`,
        [itemIds],
      );
      return rows;
    },
    close: () => pool.end(),
  };
  return board;
}
