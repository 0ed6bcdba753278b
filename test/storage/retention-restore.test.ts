import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupDataDir } from '../../src/storage/backup-data-dir.ts';
import { createDiskBlobStore } from '../../src/storage/blobs/disk-blob-store.ts';
import { backendsHere, createPostgresDatabase, stopTestPostgres } from '../support/backends.ts';
import { openAudit } from '../support/open-accounts.ts';
import { findPostgres } from '../support/start-postgres.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes } from '../support/trained-model.ts';

const run = promisify(execFile);
const programs = findPostgres();
const backends = backendsHere.filter((one) => one === 'sqlite' || existsSync(join(programs ?? '', 'pg_dump')));
afterAll(stopTestPostgres);

/** Skips files that vanish meanwhile. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else
      await cp(source, target, { force: false, preserveTimestamps: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  }
}

describe.each(backends)('on %s', (backend) => {
  let folder: string;
  let database: Record<string, string>;
  let service: TestService;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-restore-'));
    database = backend === 'postgres' ? { DATABASE_URL: await createPostgresDatabase() } : {};
    service = await startTestService(database, { dataDir: join(folder, 'data') });
  });
  afterEach(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const copy = () => join(folder, 'copy');
  const dump = () => join(folder, 'kensa.dump');

  /** As docs/operations.md says. */
  async function backUp(): Promise<void> {
    if (backend === 'sqlite') {
      expect((await backupDataDir(service.dataDir, copy(), () => {})).damaged).toEqual([]);
      return;
    }
    const copyBlobs = () => copyFolder(join(service.dataDir, 'blobs'), join(copy(), 'blobs'));
    // The first image makes the folder.
    await mkdir(join(service.dataDir, 'blobs'), { recursive: true });
    await copyBlobs();
    const url = database['DATABASE_URL'] ?? '';
    await run(join(programs ?? '', 'pg_dump'), ['--format=custom', `--file=${dump()}`, url]);
    await copyBlobs();
  }

  /** Ends the service, and starts another one on the backup. */
  async function restore(options: { work?: boolean } = {}): Promise<void> {
    await service.stop();
    if (backend === 'postgres') {
      database = { DATABASE_URL: await createPostgresDatabase() };
      const target = `--dbname=${database['DATABASE_URL']}`;
      await run(join(programs ?? '', 'pg_restore'), ['--no-owner', '--exit-on-error', target, dump()]);
    }
    service = await startTestService(database, { dataDir: copy(), ...options });
  }

  interface Item {
    images: { url?: string }[];
    images_removed_at?: string;
  }
  const read = async (id: string) => dataOf<Item>(await service.call('GET', `/api/v1/items/${id}`));

  async function addOldItems(count: number, from = 0): Promise<string[]> {
    const ids: string[] = [];
    const long = new Date(Date.now() - 90 * 86_400_000);
    for (let index = from; index < from + count; index++) {
      const file = { name: `${index}.png`, bytes: await stripes(index) };
      ids.push(...dataOf<{ item_ids: string[] }>(await service.upload([file], { training: 'false' })).item_ids);
    }
    await service.db.updateTable('items').set({ created_at: long.toISOString() }).where('item_id', 'in', ids).execute();
    const images = await service.db.selectFrom('item_images').select('blob').where('item_id', 'in', ids).execute();
    for (const { blob } of images) await utimes(join(service.dataDir, 'blobs', blob.slice(0, 2), blob), long, long);
    return ids;
  }

  async function removeDue(): Promise<void> {
    const body = { name: 'all', everywhere: true, image_days: { OK: 30, NG: 30, unjudged: 30 } };
    await service.call('POST', '/api/v1/retention/rules', { body });
    await service.call('POST', '/api/v1/retention/runs', { body: {} });
    const runs = async () =>
      dataOf<{ runs: { status: string }[] }>(await service.call('GET', '/api/v1/retention/runs')).runs;
    await eventually(runs, ([last]) => last?.status === 'done');
  }

  it('a backup brings removed images back, the next run removes them again, and holds stay in force', async () => {
    const [plain = '', held = ''] = await addOldItems(2);
    const hold = { reason: 'complaint 4711', item_ids: [held] };
    await service.call('POST', '/api/v1/retention/holds', { body: hold });
    await backUp();
    await removeDue();
    expect((await read(plain)).images_removed_at).toBeDefined();

    await restore();
    const back = await read(plain);
    expect(back.images_removed_at).toBeUndefined();
    expect((await service.call('GET', back.images[0]?.url ?? '')).status).toBe(200);
    await removeDue();
    expect((await read(plain)).images_removed_at).toBeDefined();
    expect((await read(held)).images_removed_at).toBeUndefined();
    const holds = dataOf<object[]>(await service.call('GET', '/api/v1/retention/holds'));
    expect(holds).toMatchObject([{ reason: 'complaint 4711', items: 1 }]);
  });

  it('a backup that is made while a run removes images has every image that it says it has', async () => {
    const ids = await addOldItems(150);
    await Promise.all([backUp(), removeDue()]);
    await addOldItems(1, 1000);
    await restore({ work: false });
    const blobs = createDiskBlobStore(join(copy(), 'blobs'));
    const images = await service.db
      .selectFrom('item_images')
      .innerJoin('items', 'items.item_id', 'item_images.item_id')
      .select(['blob', 'images_removed_at'])
      .execute();
    expect(images).toHaveLength(ids.length);
    for (const { blob, images_removed_at: removedAt } of images)
      if (removedAt === null) expect(await blobs.has(blob)).toBe(true);
  });

  it('a backup has the trail up to its moment: sound, and shorter than a head that was kept later', async () => {
    const user = { name: 'Ada', role: 'engineer', password: 'a password of the tests' };
    const { user_id: id } = dataOf<{ user_id: string }>(await service.call('POST', '/api/v1/users', { body: user }));
    const before = await openAudit(service.db).verify();
    await backUp();
    // After the backup: an image is removed, and a person is disabled.
    await addOldItems(1);
    await removeDue();
    await service.call('PUT', `/api/v1/users/${id}`, { body: { disabled: true } });
    const later = await openAudit(service.db).verify();
    expect(later.head.seq).toBeGreaterThan(before.head.seq + 2);

    await restore({ work: false });
    const audit = openAudit(service.db);
    expect((await audit.verify(before.head)).fault).toBeUndefined();
    const { head, fault } = await audit.verify(later.head);
    expect(fault).toEqual({ seq: head.seq + 1, problem: 'removed-at-end' });
    // The chain goes on from the end of the backup, and never matches the head that was lost.
    await service.call('PUT', `/api/v1/users/${id}`, { body: { disabled: true } });
    expect((await audit.verify(before.head)).fault).toBeUndefined();
    for (let index = 0; (await audit.verify()).head.seq < later.head.seq; index++)
      await service.call('PUT', '/api/v1/labels', { body: { labels: [{ label: 1, name: `after ${index}` }] } });
    expect((await audit.verify(later.head)).fault).toEqual({ seq: later.head.seq, problem: 'not-the-known-head' });
  });
});
