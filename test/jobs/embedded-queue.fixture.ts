import { pino } from 'pino';
import { EmbeddedQueue } from '../../src/jobs/engines/embedded.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { store, testHandlers } from './queue-conformance.ts';

// A process to be killed: works through the jobs of the data folder named by its argument.
const db = openDatabase({ dataDir: process.argv[2] ?? '' });
const queue = new EmbeddedQueue({
  db,
  log: pino({ level: 'silent' }),
  concurrency: { compute: 1, training: 1, io: 3 },
});
await queue.start(
  testHandlers(async (id, { completeWith }) => {
    process.stdout.write('.');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await completeWith(async (trx) => void (await store(trx, id)));
  }),
);
