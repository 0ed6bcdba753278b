import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JobContext, type JobHandlers, UnretryableError } from '../../src/jobs/job-handlers.ts';
import { jobKinds, type QueueName } from '../../src/jobs/job-kinds.ts';
import type { JobQueue } from '../../src/jobs/job-queue.ts';
import type { Db, Trx } from '../../src/storage/database.ts';
import { say } from '../../src/vision/engine-messages.ts';
import { VisionError } from '../../src/vision/vision-error.ts';

export interface EngineUnderTest {
  readonly db: Db;
  /** A queue of its own, as another process would have it, on the same database. */
  createQueue(concurrency?: Partial<Record<QueueName, number>>): Promise<JobQueue>;
  /** As if a day had passed. */
  skipDay(queue: JobQueue): Promise<void>;
  close(): Promise<void>;
}

type Run = (id: string, context: JobContext) => Promise<void>;

/** Handlers of every kind; the test's own is that of `deliver`. */
export function testHandlers(run: Run, onDead: (id: string, error: Error, trx: Trx) => Promise<void> = async () => {}) {
  const idle = { run: async () => {}, onDead: async () => {} };
  return {
    train: idle,
    refine: idle,
    predict: { run: (payload, context) => run(payload.itemId, context), onDead: async () => {} },
    deliver: {
      run: (payload, context) => run(payload.deliveryId, context),
      onDead: (payload, error, trx) => onDead(payload.deliveryId, error, trx),
    },
    sweep: idle,
    retain: idle,
  } satisfies JobHandlers;
}

export const deliver = (deliveryId: string) =>
  ({ kind: 'deliver', payload: { deliveryId }, key: `deliver ${deliveryId}` }) as const;
export const store = (db: Db, key: string) => db.insertInto('settings').values({ key, value: 'stored' }).execute();
export const stored = async (db: Db) =>
  (await db.selectFrom('settings').select('key').orderBy('key').execute()).map((row) => row.key);

export function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

export const patience = { timeout: 10_000, interval: 5 };

/** What every engine of the job queue must do. */
export function describeJobQueue(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(`job queue on ${name}`, () => {
    let engine: EngineUnderTest;
    let queue: JobQueue;
    const opened: JobQueue[] = [];
    const createQueue: EngineUnderTest['createQueue'] = async (concurrency) => {
      const created = await engine.createQueue(concurrency);
      opened.push(created);
      return created;
    };
    const empty = async () => {
      const counts = Object.values(await queue.counts());
      expect(counts.reduce((sum, { waiting, running }) => sum + waiting + running, 0)).toBe(0);
    };

    beforeEach(async () => {
      engine = await open();
      queue = await createQueue();
    });
    afterEach(async () => {
      for (const created of opened.splice(0)) await created.stop({ graceMs: 0 });
      await engine.close();
    });

    it('runs what a transaction enqueued once it is committed, and nothing of one that is rolled back', async () => {
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await engine.db.transaction().execute(async (trx) => {
        await queue.enqueue(trx, deliver('kept'));
        await pause(30);
        expect(seen).toEqual([]);
      });
      queue.wake();
      const undone = engine.db.transaction().execute(async (trx) => {
        await queue.enqueue(trx, deliver('undone'));
        throw new Error('undo');
      });
      await expect(undone).rejects.toThrow('undo');
      queue.wake();
      await vi.waitFor(() => expect(seen).toEqual(['kept']), patience);
      await vi.waitFor(empty, patience);
      await pause(30);
      expect(seen).toEqual(['kept']);
    });

    it('runs what nobody woke it up for, a little later', async () => {
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await engine.db.transaction().execute((trx) => queue.enqueue(trx, deliver('forgotten')));
      await vi.waitFor(() => expect(seen).toEqual(['forgotten']), patience);
    });

    it('takes up what was enqueued before it started', async () => {
      await queue.enqueue(engine.db, [deliver('a'), deliver('b')]);
      expect((await queue.counts()).deliver).toEqual({ waiting: 2, running: 0, failed: 0 });
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await vi.waitFor(() => expect(seen.sort()).toEqual(['a', 'b']), patience);
    });

    it('runs no more at a time than the queue of its kind allows', async () => {
      queue = await createQueue({ io: 3 });
      let [running, most, done] = [0, 0, 0];
      await queue.start(
        testHandlers(async () => {
          most = Math.max(most, ++running);
          await pause(5);
          running--;
          done++;
        }),
      );
      await queue.enqueue(
        engine.db,
        Array.from({ length: 40 }, (_, index) => deliver(String(index))),
      );
      await vi.waitFor(() => expect(done).toBe(40), patience);
      expect(most).toBe(3);
    });

    it('waits for the time of a job, without holding others up', async () => {
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await queue.enqueue(engine.db, { ...deliver('later'), runAt: new Date(Date.now() + 400) });
      await queue.enqueue(engine.db, deliver('now'));
      await vi.waitFor(() => expect(seen).toEqual(['now']), patience);
      await pause(150);
      expect(seen).toEqual(['now']);
      await vi.waitFor(() => expect(seen).toEqual(['now', 'later']), patience);
    });

    it('replaces the waiting job of a key', async () => {
      await queue.enqueue(engine.db, [
        { ...deliver('old'), key: 'k' },
        { ...deliver('other'), key: 'l' },
      ]);
      await queue.enqueue(engine.db, { ...deliver('new'), key: 'k' });
      await queue.enqueue(engine.db, [
        { ...deliver('newer'), key: 'k' },
        { ...deliver('newest'), key: 'k' },
      ]);
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await vi.waitFor(empty, patience);
      expect(seen.sort()).toEqual(['newest', 'other']);
    });

    it('runs the replacement of a running job, which is not tried again', async () => {
      const seen: string[] = [];
      const blocked = gate();
      await queue.start(
        testHandlers(async (id) => {
          seen.push(id);
          if (id === 'old') await blocked.opened.then(() => Promise.reject(new Error('broken')));
        }),
      );
      await queue.enqueue(engine.db, { ...deliver('old'), key: 'k' });
      await vi.waitFor(() => expect(seen).toEqual(['old']), patience);
      await queue.enqueue(engine.db, { ...deliver('new'), key: 'k' });
      await vi.waitFor(() => expect(seen).toEqual(['old', 'new']), patience);
      blocked.open();
      await vi.waitFor(empty, patience);
      await engine.skipDay(queue);
      await pause(50);
      expect(seen).toEqual(['old', 'new']);
    });

    it('forgets a cancelled job; one that runs is aborted and not tried again', async () => {
      const seen: string[] = [];
      const dead: string[] = [];
      await queue.start(
        testHandlers(
          async (id, { signal }) => {
            seen.push(id);
            await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          },
          async (id) => void dead.push(id),
        ),
      );
      await queue.enqueue(engine.db, { ...deliver('waits'), key: 'w', runAt: new Date(Date.now() + 60_000) });
      await queue.cancelByKey(engine.db, 'w');
      await queue.enqueue(engine.db, { ...deliver('runs'), key: 'r' });
      await vi.waitFor(() => expect(seen).toEqual(['runs']), patience);
      await queue.cancelByKey(engine.db, 'r');
      queue.abort('r');
      await vi.waitFor(empty, patience);
      await engine.skipDay(queue);
      await pause(50);
      expect([seen, dead]).toEqual([['runs'], []]);
    });

    it('tries again after a pause, and then with the result stored', async () => {
      const attempts: number[] = [];
      await queue.start(
        testHandlers(async (id, context) => {
          attempts.push(context.attempt);
          if (context.attempt < 3) throw new Error('not yet');
          await context.completeWith((trx) => store(trx, id).then(() => undefined));
        }),
      );
      await queue.enqueue(engine.db, deliver('stubborn'));
      await vi.waitFor(() => expect(attempts.length).toBe(1), patience);
      await vi.waitFor(async () => expect((await queue.counts()).deliver.waiting).toBe(1), patience);
      await pause(50);
      expect(attempts).toEqual([1]);
      for (const expected of [2, 3]) {
        await engine.skipDay(queue);
        await vi.waitFor(() => expect(attempts.length).toBe(expected), patience);
        await vi.waitFor(async () => expect((await queue.counts()).deliver.running).toBe(0), patience);
      }
      expect(await stored(engine.db)).toEqual(['stubborn']);
      await empty();
    });

    it('gives up after the last attempt and tells so once', async () => {
      let attempts = 0;
      await queue.start(
        testHandlers(
          async () => {
            attempts++;
            throw new Error('always broken');
          },
          async (id, error, trx) => void (await store(trx, `${id}: ${error.message}`)),
        ),
      );
      await queue.enqueue(engine.db, deliver('hopeless'));
      for (let attempt = 1; attempt <= jobKinds.deliver.maxAttempts; attempt++) {
        await vi.waitFor(() => expect(attempts).toBe(attempt), patience);
        await vi.waitFor(async () => expect((await queue.counts()).deliver.running).toBe(0), patience);
        await engine.skipDay(queue);
      }
      await vi.waitFor(async () => expect((await queue.counts()).deliver.failed).toBe(1), patience);
      expect(await stored(engine.db)).toEqual(['hopeless: always broken']);
      await engine.skipDay(queue);
      await pause(50);
      expect(attempts).toBe(jobKinds.deliver.maxAttempts);
      await queue.pruneFailed(new Date(Date.now() - 30 * 86_400_000));
      expect((await queue.counts()).deliver.failed).toBe(1);
      await queue.pruneFailed(new Date(Date.now() + 30 * 86_400_000));
      expect((await queue.counts()).deliver.failed).toBe(0);
    });

    it.each([
      ['its handler says so', new UnretryableError('no such thing')],
      ['the engine refuses its input', new VisionError('not_an_image', say('image.empty'))],
    ])('does not try again what cannot succeed: %s', async (_, error) => {
      let attempts = 0;
      await queue.start(
        testHandlers(
          async () => {
            attempts++;
            throw error;
          },
          async (id, _error, trx) => void (await store(trx, id)),
        ),
      );
      await queue.enqueue(engine.db, deliver('pointless'));
      await vi.waitFor(async () => expect(await stored(engine.db)).toEqual(['pointless']), patience);
      await engine.skipDay(queue);
      await pause(50);
      expect(attempts).toBe(1);
    });

    it('ends a job in the transaction of its result, or not at all', async () => {
      let attempts = 0;
      await queue.start(
        testHandlers(async (id, { completeWith }) => {
          attempts++;
          await completeWith(async (trx) => {
            await store(trx, id);
            if (attempts === 1) throw new Error('before the commit');
          });
          throw new Error('after the commit');
        }),
      );
      await queue.enqueue(engine.db, deliver('once'));
      await vi.waitFor(() => expect(attempts).toBe(1), patience);
      await vi.waitFor(
        async () => expect((await queue.counts()).deliver).toMatchObject({ waiting: 1, running: 0 }),
        patience,
      );
      expect(await stored(engine.db)).toEqual([]);
      await engine.skipDay(queue);
      await vi.waitFor(async () => expect(await stored(engine.db)).toEqual(['once']), patience);
      await vi.waitFor(empty, patience);
      await engine.skipDay(queue);
      await pause(50);
      expect(attempts).toBe(2);
    });

    it('stores the results of many that end together; one that cannot be stored breaks no other', async () => {
      queue = await createQueue({ io: 10 });
      await store(engine.db, '3');
      await queue.start(
        testHandlers((id, { completeWith }) => completeWith((trx) => store(trx, id).then(() => undefined))),
      );
      await queue.enqueue(
        engine.db,
        Array.from({ length: 10 }, (_, index) => deliver(String(index))),
      );
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(10), patience);
      await vi.waitFor(
        async () => expect((await queue.counts()).deliver).toEqual({ waiting: 1, running: 0, failed: 0 }),
        patience,
      );
      await engine.db.deleteFrom('settings').where('key', '=', '3').execute();
      await engine.skipDay(queue);
      await vi.waitFor(async () => expect((await stored(engine.db)).length).toBe(10), patience);
    });

    it('waits for running jobs when it stops, and begins no other', async () => {
      queue = await createQueue({ io: 1 });
      const seen: string[] = [];
      await queue.start(
        testHandlers(async (id, { completeWith }) => {
          seen.push(id);
          await pause(100);
          await completeWith((trx) => store(trx, id).then(() => undefined));
        }),
      );
      await queue.enqueue(engine.db, [deliver('a'), deliver('b'), deliver('c')]);
      await vi.waitFor(() => expect(seen.length).toBe(1), patience);
      await queue.stop({ graceMs: 5000 });
      expect(await stored(engine.db)).toEqual(['a']);
      expect((await queue.counts()).deliver).toEqual({ waiting: 2, running: 0, failed: 0 });
    });

    it('gives back what takes too long when it stops; the late result is refused', async () => {
      let late: Promise<void> | undefined;
      const blocked = gate();
      await queue.start(
        testHandlers(async (id, { completeWith }) => {
          const finish = async () => {
            await blocked.opened;
            await completeWith(async (trx) => void (await store(trx, `late ${id}`)));
          };
          late = finish();
          await late;
        }),
      );
      await queue.enqueue(engine.db, deliver('slow'));
      await vi.waitFor(() => expect(late).toBeDefined(), patience);
      await queue.stop({ graceMs: 20 });
      expect((await queue.counts()).deliver).toEqual({ waiting: 1, running: 0, failed: 0 });
      blocked.open();
      await expect(late).rejects.toThrow(/no longer/);
      const second = await createQueue();
      const attempts: number[] = [];
      await second.start(testHandlers(async (_, { attempt }) => void attempts.push(attempt)));
      await vi.waitFor(() => expect(attempts).toEqual([1]), patience);
    });
  });
}
