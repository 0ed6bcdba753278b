import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';

/**
 * Makes the data folder where it is missing, and closes its contents to all but the owner.
 * @throws ConfigError where the folder cannot be made or written to.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Making a folder in it says less on a read-only disk.
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const reason = `The data folder ${dataDir} cannot be used: ${(error as Error).message}.`;
    const advice = 'Give this user a folder that it may write to, or set KENSA_DATA_DIR to another one.';
    throw new ConfigError(`${reason} ${advice}`, { cause: error });
  }
  // Earlier versions left them open to other users. The folder itself stays as its owner made it.
  for (const name of ['blobs', 'cache', 'logs', 'uploads']) tryChmod(join(dataDir, name), 0o700);
}

/** Does nothing where the path is not there, or belongs to another user. */
export function tryChmod(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // The service works all the same.
  }
}
