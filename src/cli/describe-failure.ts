import { ConfigError } from '../config.ts';
import { AppError } from '../errors.ts';
import { DataDirLockedError } from '../storage/data-dir-lock.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { VisionError } from '../vision/vision-error.ts';
import { CommandError } from './command-error.ts';
import { MigrateDataError } from './migrate-data.ts';

const inWords = [
  ...[AppError, VisionError, ConfigError, CommandError],
  ...[DataDirLockedError, NewerDatabaseError, MigrateDataError],
];

const ofFiles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  EACCES: 'this user has no permission to use it.',
  EPERM: 'this user has no permission to use it.',
  EEXIST: 'there is a file of this name already.',
  ENOTDIR: 'a part of this path is a file where a folder is needed.',
  EISDIR: 'it is a folder where a file is needed.',
};

/** What a person can mend, said in words; undefined for anything else, which is a defect of Kensa and shows where. */
export function describeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (inWords.some((kind) => error instanceof kind)) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const ofFile = ofFiles[code];
  if (path !== undefined && ofFile !== undefined) return `${path}: ${ofFile}`;
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return `The database cannot be read: ${error.message}. Restore kensa.db from a backup.`;
  return findStorageFailure(error)?.message;
}
