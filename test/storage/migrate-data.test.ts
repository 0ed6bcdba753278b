import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createItemListStore } from '../../src/domains/items/item-list.store.ts';
import { EmbeddedQueue } from '../../src/jobs/engines/embedded.ts';
import { listOpenJobs } from '../../src/jobs/engines/open-jobs.ts';
import { digestTable, listTables } from '../../src/storage/copy-tables.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openStorage, type Storage } from '../../src/storage/open-storage.ts';
import { createPostgresDatabase, stopTestPostgres } from '../support/backends.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';
import { startS3, type TestS3 } from '../support/s3-server.ts';
import { runKensa } from '../support/spawn-service.ts';
import { findPostgres } from '../support/start-postgres.ts';

afterAll(stopTestPostgres);

describe.skipIf(!findPostgres())('data', () => {
  let folder: string;
  let s3: TestS3;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-move-'));
    s3 = await startS3();
  });
  afterEach(async () => {
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('moves from a folder to PostgreSQL and S3 and back, with nothing lost or changed', async () => {
    const first = { KENSA_DATA_DIR: join(folder, 'first') };
    const shared = {
      KENSA_DATA_DIR: join(folder, 'shared'),
      DATABASE_URL: await createPostgresDatabase(),
      BLOB_URL: s3.url,
    };
    const last = { KENSA_DATA_DIR: join(folder, 'last') };
    const before = await withStorage(first, async (storage) => {
      await fill(storage);
      return summary(storage);
    });
    const there = await move(folder, first, shared);
    expect(there).toMatch(/items\s+1234/);
    expect(await withStorage(shared, summary)).toEqual(before);
    expect(await move(folder, shared, last)).toMatch(/Both sides hold the same/);
    expect(await withStorage(last, summary)).toEqual(before);
    const again = await runKensa(['migrate-data', '--to-config', await settingsFile(folder, last)], first);
    expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/target is not empty/) });
    const database = await readFile(join(folder, 'first', 'kensa.db'));
    expect(database.length).toBeGreaterThan(0);
  });
});

type Settings = Pick<Parameters<typeof openStorage>[0], 'KENSA_DATA_DIR' | 'DATABASE_URL' | 'BLOB_URL'>;

async function withStorage<T>(settings: Settings, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = openStorage(settings);
  try {
    await migrate(storage.db);
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function settingsFile(folder: string, settings: Settings): Promise<string> {
  const path = join(folder, 'target.json');
  await writeFile(path, JSON.stringify(settings));
  return path;
}

async function move(folder: string, from: Settings, to: Settings): Promise<string> {
  const { code, output } = await runKensa(
    ['migrate-data', '--to-config', await settingsFile(folder, to)],
    from as Record<string, string>,
  );
  expect(code, output).toBe(0);
  return output;
}

async function fill({ db, blobs }: Storage): Promise<void> {
  await db.insertInto('models').values(newModel('m1')).execute();
  const versions = { algorithm_id: 'patchcore', context_id: 1, version: 7 };
  await db.insertInto('model_versions').values(versions).execute();
  const items = Array.from({ length: 1234 }, (_, index) =>
    newItem(`Item ${index} 部品`, { training: index % 5 === 0, person: index % 7 === 0 ? 'NG' : null }),
  );
  for (let start = 0; start < items.length; start += 50)
    await db
      .insertInto('items')
      .values(items.slice(start, start + 50))
      .execute();
  for (const { item_id } of items.slice(0, 300)) {
    await db
      .insertInto('assessments')
      .values({ ...newAssessment(item_id, 'm1', 'OK'), raw_score: Math.random() })
      .execute();
  }
  await db.deleteFrom('items').where('seq', '=', 1234).execute();
  await db
    .insertInto('items')
    .values({ ...newItem('the last', { training: false }), serial: 'S 1', station_id: 's1', fields: '{"shift":"夜"}' })
    .execute();
  const station = {
    station_id: 's1',
    name: '終点',
    enabled: 1,
    target_id: 1,
    model_id: 'm1',
    source: '{"kind":"http"}',
  };
  const now = '2026-01-01T00:00:00.000Z';
  await db
    .insertInto('stations')
    .values({ ...station, outputs: '[]', created_at: now, updated_at: now })
    .execute();
  for (const blob of [randomBytes(10), randomBytes(300_000)]) await blobs.put(blob);
  const queue = new EmbeddedQueue({
    db,
    log: pino({ level: 'silent' }),
    concurrency: { compute: 1, training: 1, io: 1 },
  });
  await queue.enqueue(db, [
    { kind: 'predict', payload: { itemId: 'the last', modelId: 'm1' }, key: 'predict:m1:the last' },
    { kind: 'sweep', payload: {}, key: 'sweep', runAt: new Date('2035-01-01T00:00:00.000Z') },
  ]);
}

async function summary({ db, blobs }: Storage) {
  const tables = await Promise.all((await listTables(db)).map(async (table) => [table, await digestTable(db, table)]));
  const hashes = [];
  for await (const { hash, size } of blobs.list()) hashes.push(`${hash} ${size}`);
  const lists = createItemListStore(db);
  const page = async (filter: Parameters<typeof lists.listItems>[0], number: number) => {
    const { items, total } = await lists.listItems(filter, { page: number, count: 20 });
    return { total, ids: items.map((item) => item.item_id) };
  };
  return {
    tables,
    blobs: hashes.sort(),
    jobs: (await listOpenJobs(db)).map((job) => JSON.stringify(job)).sort(),
    last: await page({ item_type: 'prediction' }, 40),
    judged: await page({ item_type: 'prediction', model_id: 'm1', user_result: 'NG' }, 1),
  };
}
