import { loadConfig } from '../config.ts';
import { lockDataDir } from '../storage/data-dir-lock.ts';
import type { Db } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { openDatabase } from '../storage/open-database.ts';

/** Runs `work` on the data folder of the settings, which no running service may hold meanwhile. */
export async function withStorage<T>(work: (db: Db, dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = loadConfig().KENSA_DATA_DIR;
  const unlock = lockDataDir(dataDir);
  const db = openDatabase({ dataDir });
  try {
    await migrate(db);
    return await work(db, dataDir);
  } finally {
    await db.destroy();
    unlock();
  }
}
