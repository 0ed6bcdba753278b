import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { demoFiles } from '../../test/support/demo-images.ts';
import { startS3 } from '../../test/support/s3-server.ts';
import { type SpawnedService, spawnService, spawnWorker } from '../../test/support/spawn-service.ts';
import { startPostgres } from '../../test/support/start-postgres.ts';
import { type CpuShare, createCpuShares } from './cpu-share.ts';
import { type JobBoard, openJobBoard } from './job-board.ts';
import { network, onHost, setCable } from './network.ts';

// Runs on the server's host: `bench/hosts.ts` starts it there.

const [address = '', first = '', second = ''] = process.argv.slice(2);
const leaseSeconds = 20;
const batch = 40;
const rounds = 3;

type Worker = Awaited<ReturnType<typeof spawnWorker>>;

const folder = mkdtempSync(join(tmpdir(), 'kensa-hosts-'));
const postgres = await startPostgres({ durable: true, listen: { address, network } });
const s3 = await startS3({ host: address });
const databaseUrl = await postgres.createDatabase();
const settings = {
  DATABASE_URL: `postgresql://kensa@${address}:5432${new URL(databaseUrl).pathname}`,
  BLOB_URL: s3.url,
};
const workers: Worker[] = [];
const shares = createCpuShares();
const shareOf = { [first]: shares.create('first'), [second]: shares.create('second') } as Record<string, CpuShare>;
const serverShare = shares.create('server');
let service: SpawnedService | undefined;
const board = openJobBoard(databaseUrl);
try {
  // The server takes requests and leaves the work to the two.
  service = await spawnService(
    { ...settings, KENSA_WORKERS: '0', KENSA_DATA_DIR: join(folder, 'server') },
    serverShare.words,
  );
  process.exitCode = (await run(service, board)) ? 0 : 1;
} finally {
  for (const worker of workers) worker.kill('SIGKILL');
  await service?.kill();
  await board.close();
  await postgres.stop();
  await s3.stop();
  await pause(500);
  shares.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** A worker on a host of its own, with its share of the cores. */
async function startWorker(host: string): Promise<Worker> {
  const words = [...(shareOf[host]?.words ?? []), ...onHost({ name: host })];
  const worker = await spawnWorker({ ...settings, KENSA_DATA_DIR: join(folder, host) }, words);
  workers.push(worker);
  return worker;
}

interface Plant {
  readonly client: SpawnedService['client'];
  readonly jobs: JobBoard;
  readonly modelId: string;
  /** Under which names the first worker holds its jobs: all others are the second's. */
  readonly firstIds: readonly string[];
  readonly other: Worker;
  upload(count: number): Promise<string[]>;
  /** Predictions a second of a batch. */
  measure(count: number): Promise<number>;
  check(good: boolean, text: string): void;
}

async function run({ client }: SpawnedService, jobs: JobBoard): Promise<boolean> {
  const checks: boolean[] = [];
  const check = (good: boolean, text: string): void => {
    checks.push(good);
    console.log(`  ${good ? 'ok  ' : 'OVER'} ${text}`);
  };
  console.log(
    `one server, two workers; ${availableParallelism()} cores in all, on which ${loadavg()[0]?.toFixed(0)} processes want to run; images of 256 × 256 pixels, patchcore`,
  );
  await startWorker(first);
  const { training, test } = await demoFiles({ good: 12, testGood: 10, testDefect: 10 });
  await client.uploadItems(training, { training: 'true', good: 'true' });
  const { model_id: modelId } = await client.request<{ model_id: string }>(
    'POST',
    '/api/v1/algorithms/patchcore/train',
    {},
  );
  await client.waitForModel(modelId);
  const upload = async (count: number): Promise<string[]> => {
    const files = Array.from({ length: count }, (_, index) => test[index % test.length]).filter((file) => !!file);
    return client.uploadItems(files, { training: 'false' });
  };
  const measure = async (count: number): Promise<number> => {
    const ids = await upload(count);
    await client.predictItems(modelId, ids);
    await jobs.waitForAll(ids, 300);
    return jobs.rateOf(ids);
  };
  await measure(4);
  const firstIds = await jobs.listWorkers();
  const other = await startWorker(second);
  await measure(8);
  const plant: Plant = { client, jobs, modelId, firstIds, other, upload, measure, check };
  const ratio = await compareRates(plant, 0.5);
  check(
    ratio >= 1.7,
    `two workers do ${ratio.toFixed(2)} times the work of one while there are cores for both (limit 1.7)`,
  );
  // The server, the database and the store want their part of the same cores: nothing is promised.
  await compareRates(plant, 1);
  await cutOff(plant);
  return checks.every((good) => good);
}

/** Best of some rounds, by turns, so that other work on the machine disturbs both alike. @returns two workers over one. */
async function compareRates({ other, measure }: Plant, cores: number): Promise<number> {
  const [alone, together]: [number[], number[]] = [[], []];
  for (const host of [first, second]) shareOf[host]?.setCores(cores);
  for (let round = 0; round < rounds; round++) {
    // It holds no work now, and asks for none while it stands still.
    other.kill('SIGSTOP');
    alone.push(await measure(batch));
    other.kill('SIGCONT');
    together.push(await measure(2 * batch));
  }
  const [one, two] = [Math.max(...alone), Math.max(...together)];
  console.log(
    `predictions a second with ${cores} core each: ${one.toFixed(2)} by one worker, ${two.toFixed(2)} by two: ${(two / one).toFixed(2)} times as many`,
  );
  return two / one;
}

/** The second worker loses its cable while it works, and gets it back once all is done without it. */
async function cutOff(plant: Plant): Promise<void> {
  const { client, jobs, modelId, firstIds, other, upload, check } = plant;
  const ids = await upload(batch);
  await client.predictItems(modelId, ids);
  while ((await jobs.countDone(ids)) < batch / 4) await pause(20);
  setCable({ name: second }, 'down');
  const cutAt = Date.now();
  const held = await jobs.listHeld(ids, firstIds);
  check(held.length > 0, `${held.length} predictions were in the hands of the worker when it was cut off`);
  await jobs.waitForAll(ids, 120);
  const waited = Math.max(0, ...(await jobs.timesOf(held)).map((at) => (at - cutAt) / 1000));
  check(
    waited <= leaseSeconds,
    `the last of them was done ${waited.toFixed(1)} s later by the other (limit: the lease of ${leaseSeconds} s)`,
  );
  const before = await jobs.readVerdicts(ids);
  check(before.length === batch, `${before.length} verdicts for ${batch} items`);
  const scores = new Map<string, Set<string>>();
  for (const { name, score } of before) scores.set(name, (scores.get(name) ?? new Set()).add(score));
  check(
    [...scores.values()].every((set) => set.size === 1),
    'the same image has the same score, whichever host looked at it',
  );

  setCable({ name: second }, 'up');
  const back = await waitForWork(plant);
  check(back !== undefined, `the worker works again ${back?.toFixed(1) ?? '—'} s after it was plugged in`);
  const after = await jobs.readVerdicts(ids);
  check(JSON.stringify(after) === JSON.stringify(before), 'its late results changed no verdict');
  check(other.exitCode === null, 'it was never started again');
}

/** Seconds until the second worker holds work again, or undefined after two minutes. */
async function waitForWork({ client, jobs, modelId, firstIds, upload }: Plant): Promise<number | undefined> {
  const from = performance.now();
  while (performance.now() - from < 120_000) {
    const ids = await upload(8);
    await client.predictItems(modelId, ids);
    let seen = false;
    while ((await jobs.countDone(ids)) < ids.length && !seen) seen = (await jobs.listHeld(ids, firstIds)).length > 0;
    if (!seen) continue;
    await jobs.waitForAll(ids, 60);
    return (performance.now() - from) / 1000;
  }
  return undefined;
}
