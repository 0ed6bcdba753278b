import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobQueue } from '../../src/jobs/job-queue.ts';
import { deliver, type EngineUnderTest, patience, testHandlers } from './queue-conformance.ts';

/** In which order every engine of the job queue must run what waits. */
export function describePriorities(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(`priorities on ${name}`, () => {
    let engine: EngineUnderTest;
    let queue: JobQueue;
    beforeEach(async () => {
      engine = await open();
    });
    afterEach(async () => {
      await queue.stop({ graceMs: 0 });
      await engine.close();
    });

    it('runs in order of priority, then of arrival', async () => {
      queue = await engine.createQueue({ io: 1 });
      const jobs = ['third', 'fourth', 'first', 'second', 'last'].map((id, index) => ({
        ...deliver(id),
        priority: [0, 0, -5, -5, 3][index] ?? 0,
      }));
      await queue.enqueue(engine.db, jobs);
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await vi.waitFor(() => expect(seen).toEqual(['first', 'second', 'third', 'fourth', 'last']), patience);
    });

    it('lets what somebody waits for pass everything but what runs', async () => {
      queue = await engine.createQueue({ io: 2 });
      const seen: string[] = [];
      const underWay: (() => void)[] = [];
      await queue.start(
        testHandlers(async (id) => {
          seen.push(id);
          await new Promise<void>((resolve) => underWay.push(resolve));
        }),
      );
      const later = Array.from({ length: 30 }, (_, index) => ({ ...deliver(`later ${index}`), priority: 1 }));
      await queue.enqueue(engine.db, later);
      await vi.waitFor(() => expect(seen.length).toBe(2), patience);
      const urgent = Array.from({ length: 9 }, (_, index) => `urgent ${index}`);
      for (const id of urgent) await queue.enqueue(engine.db, deliver(id));
      // What was woken for has been claimed by then.
      await pause(200);
      for (let ended = 0; ended < 9; ended++) {
        underWay[ended]?.();
        await vi.waitFor(() => expect(seen.length).toBe(ended + 3), patience);
      }
      expect(seen.slice(2)).toEqual(urgent);
      await queue.stop({ graceMs: 0 });
      for (const end of underWay) end();
    });

    it('runs a waiting job that is asked for again at the more urgent of both priorities', async () => {
      queue = await engine.createQueue({ io: 1 });
      const job = (id: string, priority: number) => ({ ...deliver(id), key: `item ${id}`, priority });
      await queue.enqueue(engine.db, [job('a', 2), job('b', 1), job('c', 0)]);
      await queue.enqueue(engine.db, [job('c', 2), job('a', 0)]);
      const seen: string[] = [];
      await queue.start(testHandlers(async (id) => void seen.push(id)));
      await vi.waitFor(() => expect(seen.length).toBe(3), patience);
      expect(new Set(seen.slice(0, 2))).toEqual(new Set(['a', 'c']));
    });
  });
}
