import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupDataDir } from '../../src/storage/backup-data-dir.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-modes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What of a folder others than its owner may read. */
function openToOthers(path: string): string[] {
  return readdirSync(path, { recursive: true })
    .map(String)
    .filter((name) => (statSync(join(path, name)).mode & 0o077) !== 0);
}

async function use(dataDir: string): Promise<void> {
  const storage = openStorage({ KENSA_DATA_DIR: dataDir });
  await migrate(storage.db);
  await storage.blobs.put(Buffer.from('an image'));
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['kensa.db-wal', 'kensa.db-shm']));
  expect(openToOthers(dataDir)).toEqual([]);
  await storage.close();
}

it('nobody but the owner reads the database, the images and a backup of them', async () => {
  const dataDir = join(folder, 'data');
  await use(dataDir);
  await backupDataDir(dataDir, join(folder, 'backup'), () => {});
  expect(openToOthers(folder)).toEqual([]);
});

it('a data folder of an earlier version is closed to others when it is opened', async () => {
  const dataDir = join(folder, 'data');
  await use(dataDir);
  for (const name of ['blobs', 'cache', 'logs', 'uploads']) {
    mkdirSync(join(dataDir, name), { recursive: true });
    chmodSync(join(dataDir, name), 0o755);
  }
  for (const name of ['kensa.db', 'lock.db']) chmodSync(join(dataDir, name), 0o644);
  for (const name of ['kensa.db-wal', 'kensa.db-shm']) writeFileSync(join(dataDir, name), '', { mode: 0o644 });
  await use(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});
