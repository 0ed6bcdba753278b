import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JobContext, UnretryableError } from '../../src/jobs/job-handlers.ts';
import type { JobQueue } from '../../src/jobs/job-queue.ts';
import { deliver, type EngineUnderTest, gate, patience, testHandlers } from './queue-conformance.ts';

/** What every engine of the job queue must know of its open jobs. */
export function describeOpenJobs(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(`open jobs on ${name}`, () => {
    let engine: EngineUnderTest;
    let queue: JobQueue;
    beforeEach(async () => {
      engine = await open();
      queue = await engine.createQueue();
    });
    afterEach(async () => {
      await queue.stop({ graceMs: 0 });
      await engine.close();
    });

    it('knows of a key whether its job waits or runs, within a transaction too', async () => {
      const keys = ['a', 'b'];
      const { opened, open } = gate();
      await engine.db.transaction().execute(async (trx) => {
        await queue.enqueue(trx, { ...deliver('it'), key: 'b' });
        expect(await queue.hasOpen(trx, keys)).toBe(true);
      });
      expect([await queue.hasOpen(engine.db, ['a']), await queue.hasOpen(engine.db, [])]).toEqual([false, false]);
      const inside: boolean[] = [];
      const run = async (_: string, context: JobContext): Promise<void> => {
        inside.push(await queue.hasOpen(engine.db, keys));
        await opened;
        await context.completeWith(async (trx) => void inside.push(await queue.hasOpen(trx, keys)));
      };
      await queue.start(testHandlers(run));
      await vi.waitFor(() => expect(inside).toEqual([true]), patience);
      // The job that replaces it is the one of this key.
      await queue.enqueue(engine.db, { ...deliver('again'), key: 'b', runAt: new Date(Date.now() + 600_000) });
      open();
      await vi.waitFor(() => expect(inside).toEqual([true, true]), patience);
      await queue.cancelByKey(engine.db, 'b');
      expect(await queue.hasOpen(engine.db, keys)).toBe(false);
    });

    it('counts a job that failed for good as one that is over', async () => {
      const fail = async () => {
        throw new UnretryableError('never');
      };
      await queue.start(testHandlers(fail));
      await queue.enqueue(engine.db, { ...deliver('it'), key: 'a' });
      await vi.waitFor(async () => expect((await queue.counts()).deliver.failed).toBe(1), patience);
      expect(await queue.hasOpen(engine.db, ['a'])).toBe(false);
    });
  });
}
