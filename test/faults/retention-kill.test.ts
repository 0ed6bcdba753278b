import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import type { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import { createDiskBlobStore } from '../../src/storage/blobs/disk-blob-store.ts';
import type { Db, ItemImagesTable } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { sweepBlobs } from '../../src/storage/sweep.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import { backendsHere } from '../support/backends.ts';
import { openAudit } from '../support/open-accounts.ts';
import { newItem } from '../support/rows.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';

const moments = Number(process.env['KENSA_FAULT_MOMENTS'] ?? 200);
const seed = Number(process.env['KENSA_FAULT_SEED'] ?? 1);
const dayMs = 86_400_000;
/** Items that each moment adds: so many days old, and so many. */
const added = [
  { days: 40, count: 110 },
  { days: 400, count: 20 },
  { days: 2, count: 2 },
] as const;

interface RunBody {
  run_id: string;
  status: string;
  images: number;
  records: number;
}

describe.each(backendsHere)(
  `on %s, retention that is killed ${moments} times (seed ${seed}) leaves no file without an image and no image without its file`,
  (backend) => {
    let folder: string;
    let settings: Record<string, string>;
    let postgres: TestPostgres | undefined;
    let service: SpawnedService;
    let db: Db;
    let blobs: BlobStore;
    let picture: Buffer;
    let itemCount = 0;
    let blobCount = 0;
    let interrupted = 0;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kensa-retention-kill-'));
      const dataDir = join(folder, 'data');
      settings = { KENSA_DATA_DIR: dataDir };
      if (backend === 'postgres') {
        postgres = await startPostgres({ durable: true });
        settings['DATABASE_URL'] = await postgres.createDatabase();
      }
      service = await spawnService(settings);
      db = openDatabase(settings['DATABASE_URL'] === undefined ? { dataDir } : { url: settings['DATABASE_URL'] });
      blobs = createDiskBlobStore(join(dataDir, 'blobs'));
      picture = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#5a6' } })
        .png()
        .toBuffer();
      const rule = { name: 'all', everywhere: true, image_days: { OK: 30, NG: 30, unjudged: 30 }, record_days: 300 };
      await service.client.request('POST', '/api/v1/retention/rules', rule);
    });
    afterAll(async () => {
      await db.destroy();
      await service.stop();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** Items as uploads leave them, some of two images, and one in ten with the image of an item that stays. */
    async function addItems(): Promise<void> {
      const shared = await addBlob(-1);
      for (const { days, count } of added) {
        const at = new Date(Date.now() - days * dayMs).toISOString();
        const items = Array.from({ length: count }, () => newItem(`item-${itemCount++}`, { training: false }));
        const wanted = items.flatMap(({ item_id }, index) =>
          (index % 7 === 0 ? [0, 1] : [0]).map((position) => ({ item_id, position, isShared: index % 10 === 0 })),
        );
        const images = await Promise.all(
          wanted.map(async ({ item_id, position, isShared }): Promise<Insertable<ItemImagesTable>> => {
            const { blob, size } = isShared && position === 0 ? shared : await addBlob(blobCount++);
            const file = { name: `${position}.png`, format: 'png', width: 24, height: 24, file_size: size };
            return { item_id, position, blob, ...file };
          }),
        );
        const rows = items.map((item) => ({ ...item, created_at: at }));
        await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, images));
      }
    }

    /** Bytes after the end of a PNG file make a file of its own, with the same picture. */
    async function addBlob(number: number): Promise<{ blob: string; size: number }> {
      const bytes = Buffer.concat([picture, Buffer.from(`image ${number}`)]);
      const blob = await blobs.put(bytes);
      const old = new Date(Date.now() - 40 * dayMs);
      await utimes(join(folder, 'data', 'blobs', blob.slice(0, 2), blob), old, old);
      return { blob, size: bytes.length };
    }

    async function readRuns(): Promise<RunBody[]> {
      return (await service.client.request<{ runs: RunBody[] }>('GET', '/api/v1/retention/runs?count=200')).runs;
    }

    async function waitForImages(id: string, wanted: number): Promise<void> {
      for (;;) {
        const runs = db.selectFrom('retention_runs').select(['images', 'status']).where('run_id', '=', id);
        const run = await runs.executeTakeFirstOrThrow();
        if (run.images >= wanted || run.status === 'done') return;
        await pause(5);
      }
    }

    async function waitForEnd(id: string): Promise<void> {
      for (const deadline = Date.now() + 200_000; ; await pause(10)) {
        const run = (await readRuns()).find((one) => one.run_id === id);
        if (run?.status === 'done') return;
        if (run === undefined || run.status === 'failed' || Date.now() > deadline)
          throw new Error(`The run did not end well: ${JSON.stringify(run)} ${service.output()}`);
      }
    }

    /** No image without its file unless the item says so, no file without an image, and counts that are right. */
    async function expectWhole(): Promise<void> {
      const rows = await db
        .selectFrom('item_images')
        .innerJoin('items', 'items.item_id', 'item_images.item_id')
        .select(['item_images.item_id', 'blob', 'images_removed_at', 'thumbnails_kept', 'file_size', 'created_at'])
        .execute();
      await sweepBlobs(db, blobs, Date.now());
      const files = new Set<string>();
      for await (const { hash } of blobs.list()) files.add(hash);
      const present = rows.filter((row) => row.images_removed_at === null);
      expect(present.filter(({ blob }) => !files.has(blob))).toEqual([]);
      const used = new Set(present.map(({ blob }) => blob));
      const marker = await db.selectFrom('settings').select('value').where('key', '=', 'blob_store').execute();
      expect([...files].filter((hash) => !used.has(hash) && hash !== marker[0]?.value)).toEqual([]);
      const due = new Date(Date.now() - 31 * dayMs).toISOString();
      expect(present.filter((row) => row.created_at < due)).toEqual([]);
      expect(rows.filter((row) => row.images_removed_at !== null && row.thumbnails_kept === 0)).toEqual([]);
      const counts = await sql<{ count: number; bytes: number }>`
      select sum(count) as count, sum(bytes) as bytes from counts where scope = 'images'`.execute(db);
      expect(Number(counts.rows[0]?.count)).toBe(present.length);
      expect(Number(counts.rows[0]?.bytes)).toBe(present.reduce((sum, row) => sum + row.file_size, 0));
      const list = '/api/v1/items/?item_type=prediction&count=1';
      const { total } = await service.client.request<{ total: number }>('GET', list);
      expect(total).toBe(new Set(rows.map((row) => row.item_id)).size);
      const sums = await sql<{ images: number; records: number }>`
      select sum(images) as images, sum(records) as records from retention_runs`.execute(db);
      expect(Number(sums.rows[0]?.records)).toBe(itemCount - total);
      const thumbnails = await sql<{ count: number }>`select count(*) as count from thumbnails`.execute(db);
      expect(Number(thumbnails.rows[0]?.count)).toBe(rows.length - present.length);
    }

    /** Each item that a run removed is in the trail once, with what went of it. */
    async function expectTold(): Promise<void> {
      const audit = openAudit(db);
      expect((await audit.verify()).fault).toBeUndefined();
      const told = new Map<string, string[]>([
        ['images', []],
        ['records', []],
      ]);
      for await (const entries of audit.readEntries({ act: 'retention.remove' }))
        for (const { details } of entries) {
          const { reason, items } = JSON.parse(details) as { reason: string; items: string[] };
          told.get(reason)?.push(...items);
        }
      const rows = await db.selectFrom('items').select(['item_id', 'images_removed_at']).execute();
      const left = new Set(rows.map((row) => row.item_id));
      const gone = Array.from({ length: itemCount }, (_, index) => `item-${index}`).filter((id) => !left.has(id));
      expect(told.get('records')?.sort()).toEqual(gone.sort());
      const bare = rows.filter((row) => row.images_removed_at !== null).map((row) => row.item_id);
      expect(told.get('images')?.sort()).toEqual(bare.sort());
    }

    it(
      'at moments that are drawn',
      async () => {
        const random = createRandom(seed);
        for (let moment = 0; moment < moments; moment++) {
          const [afterImages, afterMs] = [Math.floor(150 * random.next()), Math.floor(60 * random.next())];
          try {
            await killOnce(afterImages, afterMs);
          } catch (cause) {
            throw new Error(`moment ${moment}, ${afterMs} ms after ${afterImages} images`, { cause });
          }
        }
        await expectTold();
        console.log(`${backend}: ${moments} kills, ${interrupted} of them before the run had ended`);
        expect(interrupted).toBeGreaterThan(moments / 2);
      },
      120_000 + moments * 20_000,
    );

    async function killOnce(afterImages: number, afterMs: number): Promise<void> {
      await addItems();
      const { run_id: id } = await service.client.request<RunBody>('POST', '/api/v1/retention/runs', {});
      await waitForImages(id, afterImages);
      await pause(afterMs);
      await service.kill();
      const run = await db.selectFrom('retention_runs').select('status').where('run_id', '=', id).execute();
      if (run[0]?.status === 'running') interrupted++;
      // The others wait for the lease of a process that died. Here it is over at once.
      if (backend === 'postgres') await sql`update job_workers set lease_until = 0`.execute(db);
      service = await spawnService(settings);
      await waitForEnd(id);
      await expectWhole();
    }
  },
);
