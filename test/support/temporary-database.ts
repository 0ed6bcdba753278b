import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';

/** An empty embedded database in a folder of its own. */
export async function openTemporaryDatabase(): Promise<{ db: Db; dataDir: string; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-db-'));
  const db = openDatabase({ dataDir });
  await migrate(db);
  return {
    db,
    dataDir,
    async close() {
      await db.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
