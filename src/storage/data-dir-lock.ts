import { join } from 'node:path';
import { openPrivateDatabase } from './sqlite-driver.ts';

export class DataDirLockedError extends Error {
  override name = 'DataDirLockedError';
}

/**
 * Takes the data folder for this process. SQLite holds the lock of the operating system, which ends with the process.
 * @returns the function that gives it back.
 * @throws DataDirLockedError while another process holds it.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = openPrivateDatabase(join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) throw error;
    throw new DataDirLockedError(
      `Another Kensa process uses the data folder ${dataDir}. Stop it, or set KENSA_DATA_DIR to another folder.`,
    );
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
