import { accessSync, constants, mkdirSync } from 'node:fs';

/**
 * Makes the data folder where there is none.
 * @throws Error of the system that says why it cannot be written to: making a folder in it says less on a read-only disk.
 */
export function ensureDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  accessSync(dataDir, constants.W_OK);
}
