import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { EmbeddedQueue } from '../src/jobs/engines/embedded.ts';
import { openGraphileQueue } from '../src/jobs/engines/graphile.ts';
import type { AnyJobHandler } from '../src/jobs/job-handlers.ts';
import type { JobQueue } from '../src/jobs/job-queue.ts';
import type { Db } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openDatabase } from '../src/storage/open-database.ts';
import { findPostgres, startPostgres } from '../test/support/start-postgres.ts';

// Pick-up latency of single jobs and throughput of many, commits reaching the disk, on each engine.

const log = pino({ level: 'warn' });
const concurrency = { compute: 6, training: 1, io: 8 };
const predict = (itemId: string) => ({ kind: 'predict', payload: { itemId, modelId: 'm' }, key: itemId }) as const;

class Bench {
  readonly #db: Db;
  readonly #queue: JobQueue;
  readonly #started = new Map<string, number>();
  #done = 0;
  #storing = false;

  constructor(db: Db, queue: JobQueue) {
    this.#db = db;
    this.#queue = queue;
  }

  async run() {
    await this.#queue.start(this.#handlers());
    const pickUpMs = await this.#latency(200);
    const jobsPerSecond = await this.#throughput(4000, 'plain');
    this.#storing = true;
    const jobsPerSecondWithResult = await this.#throughput(4000, 'stored');
    return { pickUpMs, jobsPerSecond, jobsPerSecondWithResult };
  }

  #handlers(): AnyJobHandler[] {
    const none = { run: async () => {}, onDead: async () => {} };
    return [
      { kind: 'train', ...none },
      {
        kind: 'predict',
        run: async ({ itemId }, { completeWith }) => {
          this.#started.set(itemId, performance.now());
          if (this.#storing) {
            await completeWith(async (trx) => {
              await trx.insertInto('settings').values({ key: itemId, value: 'a verdict' }).execute();
            });
          }
          this.#done++;
        },
        onDead: async () => {},
      },
      { kind: 'deliver', ...none },
      { kind: 'sweep', ...none },
    ];
  }

  async #waitFor(count: number): Promise<void> {
    while (this.#done < count) await pause(1);
  }

  /** From the commit to the first line of the handler. */
  async #latency(rounds: number) {
    const times: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const id = `latency ${round}`;
      await this.#db.transaction().execute((trx) => this.#queue.enqueue(trx, predict(id)));
      const committed = performance.now();
      this.#queue.wake();
      await this.#waitFor(round);
      times.push((this.#started.get(id) ?? Number.NaN) - committed);
      await pause(5);
    }
    times.sort((a, b) => a - b);
    const quantile = (share: number) => Number((times[Math.floor(share * (rounds - 1))] ?? Number.NaN).toFixed(2));
    return { p50: quantile(0.5), p95: quantile(0.95), max: quantile(1) };
  }

  async #throughput(jobs: number, name: string) {
    this.#done = 0;
    const wanted = Array.from({ length: jobs }, (_, index) => predict(`${name} ${index}`));
    await this.#db.transaction().execute((trx) => this.#queue.enqueueMany(trx, wanted));
    const from = performance.now();
    this.#queue.wake();
    await this.#waitFor(jobs);
    return Math.round((1000 * jobs) / (performance.now() - from));
  }
}

async function benchEngine(engine: string, db: Db, queue: JobQueue): Promise<void> {
  console.log(JSON.stringify({ engine, ...(await new Bench(db, queue).run()) }));
  await queue.stop({ graceMs: 5000 });
  await db.destroy();
}

const dataDir = mkdtempSync(join(process.argv[2] ?? '.', 'bench-jobs-'));
const sqlite = openDatabase({ dataDir });
await migrate(sqlite);
await benchEngine('sqlite', sqlite, new EmbeddedQueue({ db: sqlite, log, concurrency }));
rmSync(dataDir, { recursive: true });

if (findPostgres()) {
  const server = await startPostgres({ durable: true });
  const databaseUrl = await server.createDatabase();
  const postgres = openDatabase({ url: databaseUrl });
  await migrate(postgres);
  const queue = await openGraphileQueue({ db: postgres, databaseUrl, log, concurrency });
  await benchEngine('postgresql', postgres, queue);
  await server.stop();
}
