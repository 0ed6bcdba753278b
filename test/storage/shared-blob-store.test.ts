import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { sweepBlobs } from '../../src/storage/sweep.ts';
import { backendsHere, createPostgresDatabase, stopTestPostgres } from '../support/backends.ts';
import { newItem } from '../support/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'kensa-stores-'));
afterAll(async () => {
  await stopTestPostgres();
  rmSync(folder, { recursive: true, force: true });
});

const day = 86_400_000;

describe.skipIf(!backendsHere.includes('postgres'))('servers on one database', () => {
  const configOf = (url: string, name: string) =>
    loadConfig({
      DATABASE_URL: url,
      KENSA_DATA_DIR: join(folder, name),
      KENSA_LOG_LEVEL: 'silent',
      KENSA_WORKERS: '1',
      PORT: '0',
    });
  const start = async (url: string, name: string) => (await startService(configOf(url, name))).stop();
  const refusal = { name: 'ConfigError', message: expect.stringContaining('Set BLOB_URL to the same bucket') };

  it('that keep images in different places are refused, also after a sweep', async () => {
    const url = await createPostgresDatabase();
    await start(url, 'one');
    await expect(start(url, 'two')).rejects.toMatchObject(refusal);
    const storage = openStorage(configOf(url, 'one'));
    await sweepBlobs(storage.db, storage.blobs, Date.now() + day);
    await storage.close();
    await start(url, 'one');
    await expect(start(url, 'two')).rejects.toMatchObject(refusal);
  });

  it('takes the place in which an earlier version has stored images', async () => {
    const url = await createPostgresDatabase();
    await start(url, 'old');
    const storage = openStorage(configOf(url, 'old'));
    const blob = await storage.blobs.put(Buffer.from('an image'));
    await storage.db
      .insertInto('items')
      .values(newItem('i', { training: true }))
      .execute();
    await storage.db
      .insertInto('item_images')
      .values({ item_id: 'i', position: 0, name: 'i', blob, format: 'png', width: 1, height: 1, file_size: 8 })
      .execute();
    await storage.db.deleteFrom('settings').where('key', '=', 'blob_store').execute();
    await storage.close();
    await expect(start(url, 'other')).rejects.toMatchObject(refusal);
    await start(url, 'old');
  });
});
