import { type Config, loadConfig } from '../config.ts';
import { migrate } from '../storage/migrate.ts';
import { openStorage, type Storage } from '../storage/open-storage.ts';

/** Runs `work` on the storage of the settings; an embedded one no running service may hold meanwhile. */
export async function withStorage<T>(work: (storage: Storage, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const storage = openStorage(config);
  try {
    await migrate(storage.db);
    return await work(storage, config);
  } finally {
    await storage.close();
  }
}
