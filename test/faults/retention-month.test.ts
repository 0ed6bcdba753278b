import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { statfs, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createDiskBlobStore } from '../../src/storage/blobs/disk-blob-store.ts';
import { backendsHere, createPostgresDatabase, stopTestPostgres } from '../support/backends.ts';
import { demoFiles } from '../support/demo-images.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, trainSmallModel } from '../support/trained-model.ts';

const days = 31;
const batchesADay = 5;
const imagesInBatch = 8;
const diskMegabytes = 64;
const dayMs = 86_400_000;

interface Run {
  cause: string;
  status: string;
  images: number;
  records: number;
}

let folder: string;
let isMounted: boolean;
let service: TestService;
let environment: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-month-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    isMounted = true;
  } catch {
    console.warn('Mounting is for root only here: a quota takes the place of the small disk.');
    isMounted = false;
  }
});
afterEach(async () => {
  await service.stop();
  if (isMounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
});
afterAll(stopTestPostgres);

const get = async <T>(path: string): Promise<T> => dataOf<T>(await service.call('GET', path));
const post = async <T>(path: string, body: object): Promise<T> => dataOf<T>(await service.call('POST', path, { body }));
const listRuns = async () => (await get<{ runs: Run[] }>('/api/v1/retention/runs?count=200')).runs;

/** A day later, as far as anything stored can tell. */
async function letDayPass(backend: string): Promise<void> {
  await service.stop();
  service = await startTestService(environment, { dataDir: folder, work: false });
  const earlier = (column: string) =>
    backend === 'postgres'
      ? `to_char((${column}::timestamptz - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-1 day')`;
  for (const [table, column] of [
    ['items', 'created_at'],
    ['retention_runs', 'started_at'],
  ] as const)
    await sql.raw(`update ${table} set ${column} = ${earlier(column)}`).execute(service.db);
  for await (const { hash, modifiedAt } of createDiskBlobStore(join(folder, 'blobs')).list()) {
    const at = new Date(modifiedAt - dayMs);
    await utimes(join(folder, 'blobs', hash.slice(0, 2), hash), at, at);
  }
  await service.stop();
  service = await startTestService(environment, { dataDir: folder });
}

it.each(backendsHere)(
  'on %s, a month of a busy line on a small disk: it never fills, nothing protected goes, lists and counts stay true',
  async (backend) => {
    environment = backend === 'postgres' ? { DATABASE_URL: await createPostgresDatabase() } : {};
    service = await startTestService(environment, { dataDir: folder });
    const trained = await trainSmallModel(service);
    const { test: drawn } = await demoFiles({ good: 1, testGood: 12, testDefect: 4 }, { pixels: 640 });
    await post('/api/v1/retention/rules', {
      name: 'all',
      everywhere: true,
      image_days: { OK: 20, NG: 25, unjudged: 12 },
      record_days: 28,
      when_short: ['OK', 'unjudged'],
    });
    await post('/api/v1/retention/holds', { reason: 'complaint', filter: { lot: 'day 3' } });
    const quota = isMounted ? null : diskMegabytes * 1_000_000;
    const settings = { min_free_percent: 20, capacity_bytes: quota };
    expect((await service.call('PUT', '/api/v1/retention/', { body: settings })).status).toBe(200);

    const lot3: string[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let day = 0; day < days; day++) {
      for (let batch = 0; batch < batchesADay; batch++) {
        for (let index = 0; index < imagesInBatch; index++) {
          const number = (day * batchesADay + batch) * imagesInBatch + index;
          const source = drawn[number % drawn.length];
          if (!source) throw new Error('No image was drawn.');
          // Bytes after the end of a JPEG file make a file of its own, with the same picture.
          const bytes = Buffer.concat([source.bytes, Buffer.from(`image ${number}`)]);
          const verdict = number % 4 === 3 ? {} : { good: String(!source.defect) };
          const fields = { training: 'false', lot: `day ${day}`, ...verdict };
          const sent = await service.upload([{ name: `${number}.jpg`, bytes }], fields);
          expect(sent.status, JSON.stringify(sent.body)).toBe(201);
          if (day === 3) lot3.push(...dataOf<{ item_ids: string[] }>(sent).item_ids);
        }
        if (isMounted) {
          const { bavail, bsize } = await statfs(folder);
          least = Math.min(least, bavail * bsize);
        }
      }
      await eventually(listRuns, (runs) => runs.every(({ status }) => status === 'done'));
      await expectTrue([...lot3, ...trained.itemIds]);
      await letDayPass(backend);
    }
    // Uploads go on while a run makes room, so that for a while less is free than must stay free.
    if (isMounted) expect(least).toBeGreaterThan(2_000_000);
    await eventually(listRuns, (runs) => runs[0]?.status === 'done');
    const runs = await listRuns();
    for (const cause of ['daily', 'space'])
      expect(runs.filter((run) => run.cause === cause && run.images > 0).length, cause).toBeGreaterThan(0);
    const oldest = async (result: string) => {
      const query = `/api/v1/items/?item_type=prediction&user_result=${result}&images_removed=false&count=1`;
      const { total } = await get<{ total: number }>(query);
      const last = await get<{ items: { created_at: string }[] }>(`${query}&page=${total}`);
      return (Date.now() - Date.parse(last.items[0]?.created_at ?? '')) / dayMs;
    };
    // The rule kept the images of NG items for their whole time. The day that is held has older ones.
    const kept = await get<{ total: number }>(
      `/api/v1/items/?item_type=prediction&user_result=NG&images_removed=false&count=1`,
    );
    expect(kept.total).toBeGreaterThan(0);
    expect(await oldest('NG')).toBeGreaterThan(20);
    await expectTrue([...lot3, ...trained.itemIds]);
  },
  1_800_000,
);

/** Checks again where a run for space removed something meanwhile. Such a run is listed from its first removal on. */
async function expectTrue(mustBeThere: readonly string[]): Promise<void> {
  for (;;) {
    const before = JSON.stringify(await listRuns());
    try {
      return await expectTrueNow(mustBeThere);
    } catch (error) {
      const after = await eventually(listRuns, (runs) => runs.every(({ status }) => status === 'done'));
      if (JSON.stringify(after) === before) throw error;
    }
  }
}

/** Every image is there or says that it is not, no file is without an image, and counts are those of the rows. */
async function expectTrueNow(mustBeThere: readonly string[]): Promise<void> {
  const { db } = service;
  const rows = await db
    .selectFrom('item_images')
    .innerJoin('items', 'items.item_id', 'item_images.item_id')
    .select(['item_images.item_id', 'blob', 'images_removed_at', 'file_size', 'is_training'])
    .execute();
  const present = rows.filter((row) => row.images_removed_at === null);
  const ids = new Set(present.map((row) => row.item_id));
  expect(mustBeThere.filter((id) => !ids.has(id))).toEqual([]);
  const blobs = createDiskBlobStore(join(folder, 'blobs'));
  const files = new Set<string>();
  for await (const { hash } of blobs.list()) files.add(hash);
  expect(present.filter(({ blob }) => !files.has(blob))).toEqual([]);
  const used = new Set(present.map(({ blob }) => blob));
  // Models, networks and the marker of the store are blobs, too.
  expect(rows.filter(({ blob }) => !used.has(blob) && files.has(blob))).toEqual([]);
  const status = await get<{ items: number; images: number; image_bytes: number }>('/api/v1/status');
  expect(status).toMatchObject({
    items: new Set(rows.map((row) => row.item_id)).size,
    images: present.length,
    image_bytes: present.reduce((sum, row) => sum + row.file_size, 0),
  });
  const count = async (query: string) =>
    (await get<{ total: number }>(`/api/v1/items/?item_type=prediction&count=1&${query}`)).total;
  const inspected = new Set(rows.filter((row) => row.is_training === 0).map((row) => row.item_id)).size;
  expect(await count('')).toBe(inspected);
  expect((await count('images_removed=true')) + (await count('images_removed=false'))).toBe(inspected);
}
