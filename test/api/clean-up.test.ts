import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes } from '../support/trained-model.ts';

const onPostgres = process.env['KENSA_TEST_BACKEND'] === 'postgres';
const longAgo = new Date('2020-01-01T00:00:00.000Z');
const unused = 'ab'.repeat(32);

let dataDir: string;
let service: TestService | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kensa-clean-up-'));
});
beforeEach(async () => {
  service = await startTestService({}, { dataDir, work: false });
});
afterEach(() => service?.stop());
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function plant(path: string, modifiedAt: Date): Promise<void> {
  const file = join(dataDir, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, 'left behind');
  await utimes(file, modifiedAt, modifiedAt);
}

const delivery = (delivery_id: string, status: 'pending' | 'delivered' | 'dead', at: string) => ({
  delivery_id,
  model_id: 'm',
  item_id: 'i',
  status,
  attempts: 1,
  snapshot: '',
  last_status: null,
  last_error: null,
  last_tried_at: at,
  next_try_at: null,
  created_at: at,
});

/** When the next clean-up is due, as the engine of jobs keeps it. */
async function nextSweep({ db }: TestService): Promise<number | undefined> {
  const found = onPostgres
    ? sql<{ run_at: string | Date }>`select run_at from graphile_worker.jobs where key = 'sweep' and locked_at is null`
    : sql<{ run_at: string | null }>`select run_at from jobs where key = 'sweep' and locked_by is null`;
  const runAt = (await found.execute(db)).rows[0]?.run_at;
  return runAt ? new Date(runAt).getTime() : undefined;
}

it('begins when the service starts: nothing abandoned is left, and what is in use or new stays', async () => {
  const now = new Date();
  await plant(`blobs/ab/${unused}`, longAgo);
  for (const [age, time] of [
    ['old', longAgo],
    ['new', now],
  ] as const) {
    await plant(`blobs/ab/.${age}.part`, time);
    await plant(`uploads/${age}.upload`, time);
  }
  const { db } = service as TestService;
  await db
    .insertInto('deliveries')
    .values([
      delivery('old-delivered', 'delivered', longAgo.toISOString()),
      delivery('old-dead', 'dead', longAgo.toISOString()),
      delivery('old-pending', 'pending', longAgo.toISOString()),
      delivery('new-delivered', 'delivered', now.toISOString()),
    ])
    .execute();
  if (!onPostgres) {
    const job = { kind: 'predict', lane: 'compute', payload: '{}', max_attempts: 5, priority: 0, run_at: null };
    const rest = { locked_by: null, locked_until: null, last_error: 'it failed' };
    for (const [key, at] of [
      ['old', longAgo],
      ['new', now],
    ] as const) {
      await db
        .insertInto('jobs')
        .values({ ...job, ...rest, key, failed_at: at.toISOString(), created_at: at.toISOString() })
        .execute();
    }
  }
  await service?.stop();
  service = await startTestService({}, { dataDir });
  const left = async () => ({
    files: [...(await readdir(join(dataDir, 'blobs/ab'))), ...(await readdir(join(dataDir, 'uploads')))].sort(),
    deliveries: (await (service as TestService).db.selectFrom('deliveries').select('delivery_id').execute())
      .map((row) => row.delivery_id)
      .sort(),
    jobs: onPostgres
      ? []
      : (
          await (service as TestService).db
            .selectFrom('jobs')
            .select('key')
            .where('failed_at', 'is not', null)
            .execute()
        ).map((row) => row.key),
  });
  const blob = onPostgres ? [unused] : [];
  const expected = {
    files: ['.new.part', ...blob, 'new.upload'],
    deliveries: ['new-delivered', 'old-pending'],
    jobs: onPostgres ? [] : ['new'],
  };
  expect(await eventually(left, (value) => JSON.stringify(value) === JSON.stringify(expected), 10_000)).toEqual(
    expected,
  );
});

it('comes again within the hour, however much is deleted in between', async () => {
  await service?.stop();
  service = await startTestService({}, { dataDir });
  const due = await eventually(
    () => nextSweep(service as TestService),
    (at) => at !== undefined && at > Date.now(),
    10_000,
  );
  expect(due).toBeLessThanOrEqual(Date.now() + 3_600_000);
  const uploaded = await service.upload([{ name: 'a.png', bytes: await stripes(1) }], { training: 'false' });
  const { item_ids } = dataOf<{ item_ids: string[] }>(uploaded);
  await service.call('DELETE', '/api/v1/items/', { body: { item_ids } });
  expect(await nextSweep(service)).toBe(due);
});

it('begins a training again that did not end, and says so', async () => {
  const stopped = service as TestService;
  const files = await Promise.all(
    [1, 2, 3].map(async (phase) => ({ name: `${phase}.png`, bytes: await stripes(phase) })),
  );
  await stopped.upload(files, { training: 'true', good: 'true' });
  const order = { body: { name: 'stripes' } };
  const ordered = dataOf<{ model_id: string }>(await stopped.call('POST', '/api/v1/algorithms/patchcore/train', order));
  const path = `/api/v1/models/${ordered.model_id}`;
  // As a process leaves it that is killed.
  await stopped.db.updateTable('models').set({ status: 'training' }).execute();
  await stopped.stop();
  service = await startTestService({}, { dataDir });
  const texts = new Set<string>();
  const read = async () => {
    const model = dataOf<{ status: string; status_text: string }>(await (service as TestService).call('GET', path));
    texts.add(model.status_text);
    return model.status;
  };
  expect(await eventually(read, (status) => status === 'ready', 60_000)).toBe('ready');
  expect([...texts].join('\n')).toMatch(/, \d+\u00a0% \(started again after an interruption\)/);
});
