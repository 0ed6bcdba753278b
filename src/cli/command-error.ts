import { ConfigError } from '../config.ts';
import { AppError } from '../errors.ts';
import { DataDirLockedError } from '../storage/data-dir.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { VisionError } from '../vision/vision-error.ts';

/** What keeps a command from doing its work, in words: the value received and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Errors whose message is for a person already. */
const worded = [AppError, VisionError, ConfigError, CommandError, DataDirLockedError];

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  EACCES: 'this user has no permission to use it.',
  EPERM: 'this user has no permission to use it.',
  EEXIST: 'there is a file of this name already.',
  ENOTDIR: 'a part of this path is a file where a folder is needed.',
  EISDIR: 'it is a folder where a file is needed.',
};

/** Says in words what a person can mend. Undefined for anything else: a defect of Kensa, shown with its stack. */
export function describeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (worded.some((kind) => error instanceof kind)) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const ofFile = fileErrors[code];
  if (path !== undefined && ofFile !== undefined) return `${path}: ${ofFile}`;
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return `The database cannot be read: ${error.message}. Restore kensa.db from a backup.`;
  return findStorageFailure(error)?.message;
}
