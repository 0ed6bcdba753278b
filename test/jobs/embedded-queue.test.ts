import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedQueue } from '../../src/jobs/engines/embedded.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { describeOpenJobs } from './open-jobs-conformance.ts';
import { describePriorities } from './priority-conformance.ts';
import { deliver, describeJobQueue, type EngineUnderTest, store, stored, testHandlers } from './queue-conformance.ts';

const log = pino({ level: 'silent' });
const DAY_MS = 86_400_000;

async function openEmbedded(dataDir = mkdtempSync(join(tmpdir(), 'kensa-jobs-'))): Promise<EngineUnderTest> {
  const db = openDatabase({ dataDir });
  await migrate(db);
  let skipped = 0;
  return {
    db,
    createQueue: async (concurrency) =>
      new EmbeddedQueue({
        db,
        log,
        concurrency: { compute: 4, training: 1, io: 8, ...concurrency },
        now: () => Date.now() + skipped,
      }),
    async skipDay(queue) {
      skipped += DAY_MS;
      queue.wake();
    },
    async close() {
      await db.destroy();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

describeJobQueue('SQLite', openEmbedded);
describeOpenJobs('SQLite', openEmbedded);
describePriorities('SQLite', openEmbedded);

describe('EmbeddedQueue', () => {
  let engine: EngineUnderTest;
  afterEach(() => engine.close());

  it('counts an attempt that killed its process, and gives up after the last', async () => {
    engine = await openEmbedded();
    const queue = await engine.createQueue();
    await queue.enqueue(engine.db, deliver('poison'));
    const runs: number[] = [];
    const dead: string[] = [];
    for (let life = 1; life <= 9; life++) {
      // A life that ends without stop() leaves the row locked, as kill -9 does.
      await engine.db
        .updateTable('jobs')
        .set({ locked_by: 'a dead process', attempts: life - 1 })
        .execute();
      const next = await engine.createQueue();
      await next.start(
        testHandlers(
          async (_, { attempt, signal }) => {
            runs.push(attempt);
            await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          },
          async (_, error) => void dead.push(error.message),
        ),
      );
      await vi.waitFor(() => expect(runs.length + dead.length).toBe(life), { timeout: 5000, interval: 5 });
      await next.stop({ graceMs: 0 });
    }
    expect(runs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(dead).toEqual(['The process ended while it did this work.']);
  });

  it('is not held up by a clock that was set back', async () => {
    engine = await openEmbedded();
    const queue = await engine.createQueue();
    await queue.enqueue(engine.db, [deliver('fresh'), deliver('retried')]);
    const future = new Date(Date.now() + 400 * DAY_MS).toISOString();
    await engine.db.updateTable('jobs').set({ attempts: 1, run_at: future }).where('id', '=', 2).execute();
    const seen: string[] = [];
    await queue.start(testHandlers(async (id) => void seen.push(id)));
    await vi.waitFor(() => expect(seen).toEqual(['fresh', 'retried']), { timeout: 5000, interval: 5 });
    await queue.stop({ graceMs: 1000 });
  });

  it('takes up a job whose pause is over before the queue looks at the clock again', async () => {
    engine = await openEmbedded();
    let time = Date.now();
    // A minute at every look, as on a machine that stands still between any two steps: more than the pause of 15 s.
    const now = (): number => {
      time += 60_000;
      return time;
    };
    const queue = new EmbeddedQueue({ db: engine.db, log, concurrency: { compute: 4, training: 1, io: 8 }, now });
    let runs = 0;
    const failOnce = async (): Promise<void> => {
      if (++runs === 1) throw new Error('not yet');
    };
    await queue.start(testHandlers(failOnce));
    await queue.enqueue(engine.db, deliver('late'));
    await vi.waitFor(() => expect(runs).toBe(2), { timeout: 5000, interval: 5 });
    await queue.stop({ graceMs: 1000 });
  });

  it('loses nothing and doubles nothing when its process is killed at any moment', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kensa-jobs-kill-'));
    engine = await openEmbedded(dataDir);
    const jobs = 400;
    await (await engine.createQueue()).enqueue(
      engine.db,
      Array.from({ length: jobs }, (_, i) => deliver(`${i}`)),
    );
    const fixture = fileURLToPath(new URL('./embedded-queue.fixture.ts', import.meta.url));
    const progress: number[] = [];
    for (const delayMs of [5, 60, 130]) {
      const child = spawn(process.execPath, ['--import', 'tsx', fixture, dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await once(child, 'exit');
      progress.push((await stored(engine.db)).length);
      const left = await engine.db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirst();
      expect((left?.n ?? 0) + (progress.at(-1) ?? 0)).toBe(jobs);
    }
    expect(progress[0]).toBeLessThan(jobs);
    const queue = await engine.createQueue();
    const insert = testHandlers((id, { completeWith }) => completeWith(async (trx) => void (await store(trx, id))));
    await queue.start(insert);
    await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(jobs), {
      timeout: 20_000,
      interval: 50,
    });
    await queue.stop({ graceMs: 1000 });
    expect((await queue.counts()).deliver).toEqual({ waiting: 0, running: 0, failed: 0 });
  });
});
