import { pino } from 'pino';
import { openGraphileQueue } from '../../src/jobs/engines/graphile.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { store, testHandlers } from './queue-conformance.ts';

// A process to be killed: works through the jobs of the database named by its first argument.
const [databaseUrl = '', leaseMs] = process.argv.slice(2);
const db = openDatabase({ url: databaseUrl });
const queue = await openGraphileQueue({
  db,
  databaseUrl,
  log: pino({ level: 'silent' }),
  concurrency: { compute: 1, training: 1, io: 3 },
  leaseMs: Number(leaseMs),
});
await queue.start(
  testHandlers(async (id, { completeWith }) => {
    process.stdout.write('.');
    await new Promise((resolve) => setTimeout(resolve, 10));
    try {
      await completeWith(async (trx) => void (await store(trx, id)));
    } catch (error) {
      process.stdout.write((error as Error).name);
      throw error;
    }
  }),
);
