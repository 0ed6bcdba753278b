import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openGraphileQueue } from '../../src/jobs/engines/graphile.ts';
import type { JobQueue } from '../../src/jobs/job-queue.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { describeOpenJobs } from './open-jobs-conformance.ts';
import { describePriorities } from './priority-conformance.ts';
import { deliver, describeJobQueue, type EngineUnderTest, store, stored, testHandlers } from './queue-conformance.ts';

const log = pino({ level: 'silent' });
const LEASE_MS = 2000;
// Generous: other tests may keep both cores busy.
const patience = { timeout: 40_000, interval: 10 };

if (!findPostgres()) {
  console.warn('SKIPPED: the job queue on PostgreSQL. Its programs (initdb, postgres) are not installed.');
}

describe.skipIf(!findPostgres())('with PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  async function open(): Promise<EngineUnderTest & { databaseUrl: string }> {
    const databaseUrl = await server.createDatabase();
    const db = openDatabase({ url: databaseUrl });
    await migrate(db);
    const queue = (concurrency = {}) =>
      openGraphileQueue({
        db,
        databaseUrl,
        log,
        concurrency: { compute: 4, training: 1, io: 8, ...concurrency },
        leaseMs: LEASE_MS,
      });
    return {
      db,
      databaseUrl,
      createQueue: queue,
      async skipDay() {
        await sql`
          select graphile_worker.reschedule_jobs(array[id], run_at => run_at - interval '1 day')
          from graphile_worker.jobs where locked_at is null`.execute(db);
      },
      close: () => db.destroy(),
    };
  }

  describeJobQueue('PostgreSQL', open);
  describeOpenJobs('PostgreSQL', open);
  describePriorities('PostgreSQL', open);

  describe('GraphileQueue', { timeout: 120_000 }, () => {
    let engine: Awaited<ReturnType<typeof open>>;
    const queues: JobQueue[] = [];
    const createQueue = async () => {
      const queue = await engine.createQueue({ io: 3 });
      queues.push(queue);
      return queue;
    };
    afterEach(async () => {
      for (const queue of queues.splice(0)) await queue.stop({ graceMs: 1000 });
      await engine.close();
    });
    const storing = () =>
      testHandlers((id, { completeWith }) => completeWith(async (trx) => void (await store(trx, id))));

    it('shares the work among processes, each job once', async () => {
      engine = await open();
      const [first, second] = [await createQueue(), await createQueue()];
      const seen: string[][] = [[], []];
      for (const [index, queue] of [first, second].entries()) {
        await queue.start(
          testHandlers(async (id, { completeWith }) => {
            seen[index]?.push(id);
            await pause(5);
            await completeWith(async (trx) => void (await store(trx, id)));
          }),
        );
      }
      await first.enqueue(
        engine.db,
        Array.from({ length: 100 }, (_, index) => deliver(`${index}`)),
      );
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(100), patience);
      expect(new Set(seen.flat()).size).toBe(100);
      expect(seen.flat().length).toBe(100);
      expect(Math.min(...seen.map((ids) => ids.length))).toBeGreaterThan(10);
    });

    it('knows whether it works alone, which one that computes nothing never does', async () => {
      engine = await open();
      const [first, second] = [await createQueue(), await createQueue()];
      expect(first.worksAlone()).toBe(false);
      await first.start(storing());
      expect(first.worksAlone()).toBe(true);
      await second.start(storing());
      expect(second.worksAlone()).toBe(false);
      await vi.waitFor(() => expect(first.worksAlone()).toBe(false), patience);
      await first.stop({ graceMs: 1000 });
      await vi.waitFor(() => expect(second.worksAlone()).toBe(true), patience);
      await second.stop({ graceMs: 1000 });
      expect(second.worksAlone()).toBe(false);
      const idle = await engine.createQueue({ compute: 0 });
      queues.push(idle);
      await idle.start(storing());
      expect(idle.worksAlone()).toBe(false);
    });

    it('aborts a job that another process runs', async () => {
      engine = await open();
      const [here, there] = [await createQueue(), await createQueue()];
      let reason: unknown;
      let running = false;
      await there.start(
        testHandlers(async (_, { signal }) => {
          running = true;
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          reason = signal.reason;
        }),
      );
      await here.enqueue(engine.db, { ...deliver('far'), key: 'far' });
      await vi.waitFor(() => expect(running).toBe(true), patience);
      await here.cancelByKey(engine.db, 'far');
      here.abort('far');
      await vi.waitFor(() => expect(String(reason)).toContain('far'), patience);
    });

    it('goes on after the database was gone', async () => {
      engine = await open();
      const queue = await createQueue();
      await queue.start(
        testHandlers(async (id, { completeWith }) => {
          await pause(5);
          await completeWith(async (trx) => void (await store(trx, id)));
        }),
      );
      const predict = (index: number) =>
        ({ kind: 'predict', payload: { itemId: `${index}`, modelId: 'm' }, key: `${index}` }) as const;
      await queue.enqueue(
        engine.db,
        Array.from({ length: 300 }, (_, index) => predict(index)),
      );
      // For a moment, and for longer than a queue that has given up takes to start again.
      for (const [done, goneMs] of [
        [20, 0],
        [60, 2500],
      ] as const) {
        await vi.waitFor(async () => expect((await stored(engine.db)).length).toBeGreaterThan(done), patience);
        await server.crash();
        await pause(goneMs);
        await server.restart();
      }
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(300), {
        timeout: 80_000,
        interval: 50,
      });
      await vi.waitFor(
        async () => expect((await queue.counts()).predict).toEqual({ waiting: 0, running: 0, failed: 0 }),
        patience,
      );
    });

    const JOBS = 200;
    async function startOtherProcess(queue: JobQueue) {
      await queue.enqueue(
        engine.db,
        Array.from({ length: JOBS }, (_, index) => deliver(`${index}`)),
      );
      const fixture = fileURLToPath(new URL('./graphile-queue.fixture.ts', import.meta.url));
      const child = spawn(process.execPath, ['--import', 'tsx', fixture, engine.databaseUrl, `${LEASE_MS}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output: string[] = [];
      child.stdout.on('data', (text) => output.push(String(text)));
      await once(child.stdout, 'data');
      await pause(100);
      return { child, output };
    }

    it('does the work of a killed process within the lease, once', async () => {
      engine = await open();
      const queue = await createQueue();
      const { child } = await startOtherProcess(queue);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect((await stored(engine.db)).length).toBeLessThan(JOBS);
      expect((await queue.counts()).deliver.running).toBeGreaterThan(0);
      const from = Date.now();
      await queue.start(storing());
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(JOBS), patience);
      expect(Date.now() - from).toBeLessThan(LEASE_MS + 15_000);
      // graphile-worker deletes a job after its results are stored.
      const none = { waiting: 0, running: 0, failed: 0 };
      await vi.waitFor(async () => expect((await queue.counts()).deliver).toEqual(none), patience);
    });

    it('drops the late results of a process that was cut off for longer than its lease', async () => {
      engine = await open();
      const queue = await createQueue();
      const { child, output } = await startOtherProcess(queue);
      child.kill('SIGSTOP');
      await queue.start(storing());
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(JOBS), patience);
      child.kill('SIGCONT');
      // Refused by its lease, or where it stood in the middle of a transaction, by the database.
      await vi.waitFor(() => expect(output.join('')).toContain('Error'), patience);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect((await stored(engine.db)).length).toBe(JOBS);
      // graphile-worker deletes a job after its results are stored.
      const none = { waiting: 0, running: 0, failed: 0 };
      await vi.waitFor(async () => expect((await queue.counts()).deliver).toEqual(none), patience);
    });
  });
});
