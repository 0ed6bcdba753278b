import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../storage/database.ts';
import { EmbeddedQueue } from './engines/embedded.ts';
import type { JobQueue } from './job-queue.ts';

/** The queue that belongs to the database of the settings. */
export async function openQueue({ config, db, log }: { config: Config; db: Db; log: Logger }): Promise<JobQueue> {
  const concurrency = { compute: config.KENSA_WORKERS * 2, training: Math.min(1, config.KENSA_WORKERS), io: 64 };
  if (config.DATABASE_URL === undefined) return new EmbeddedQueue({ db, log, concurrency });
  // Its packages take a tenth of a start, and most services never need them.
  const { openGraphileQueue } = await import('./engines/graphile.ts');
  return openGraphileQueue({ db, log, concurrency, databaseUrl: config.DATABASE_URL });
}
