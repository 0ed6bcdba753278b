import { join } from 'node:path';
import type { Logger } from 'pino';
import type { JobHandler } from '../../jobs/job-handlers.ts';
import type { JobQueue, NewJob } from '../../jobs/job-queue.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db } from '../../storage/database.ts';
import { sweepBlobs, sweepCache, sweepTemporaryFiles } from '../../storage/sweep.ts';

const INTERVAL_MS = 3_600_000;
const KEEP_FAILED_JOBS_MS = 30 * 86_400_000;

/**
 * Deletes data that nothing refers to any more, when the service starts and every hour. One job in a cluster cleans the
 * data that all processes share. Each process cleans its own data folder.
 */
export function createCleanUp(dependencies: {
  db: Db;
  blobs: BlobStore;
  queue: JobQueue;
  dataDir: string;
  cacheDir: string;
  pruneDeliveries: (now: number) => Promise<void>;
  log: Logger;
}) {
  const { db, blobs, queue, dataDir, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let sweepingFolder: Promise<void> = Promise.resolve();

  const sweepJob = (runAt: Date): NewJob => ({ kind: 'sweep', payload: {}, key: 'sweep', runAt });
  const nextSweep = (): NewJob => sweepJob(new Date(Date.now() + INTERVAL_MS));

  const sweepFolder = async (): Promise<void> => {
    try {
      await sweepTemporaryFiles([join(dataDir, 'blobs'), join(dataDir, 'uploads')], Date.now());
      await sweepCache(db, dependencies.cacheDir);
    } catch (error) {
      log.warn({ err: error }, 'the data folder could not be cleaned up; trying again in an hour');
    }
  };

  const handler: JobHandler<'sweep'> = {
    async run(_, context) {
      const now = Date.now();
      await sweepBlobs(db, blobs, now);
      await dependencies.pruneDeliveries(now);
      await queue.pruneFailed(new Date(now - KEEP_FAILED_JOBS_MS));
      await context.completeWith((trx) => queue.enqueue(trx, nextSweep()));
    },
    onDead: (_payload, _error, trx) => queue.enqueue(trx, nextSweep()),
  };

  return {
    handler,
    /** Call it after the queue has started. */
    async start(): Promise<void> {
      if (!(await queue.hasOpen(db, ['sweep']))) await queue.enqueue(db, sweepJob(new Date()));
      sweepingFolder = sweepFolder();
      timer = setInterval(() => {
        sweepingFolder = sweepFolder();
      }, INTERVAL_MS).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await sweepingFolder;
    },
  };
}
