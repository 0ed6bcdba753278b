import { AppError } from './errors.ts';
import { say } from './messages/message.ts';

const full = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'];
const outOfReach = [
  ...['EROFS', 'EACCES', 'EPERM', 'EIO', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'ENOENT'],
  // PostgreSQL: shut down, starting, too many connections, read-only.
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006', '08001', '53300', '25006'],
];
const brokenConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** The error for a caller where the disk or the database failed; undefined for any other failure. */
export function findStorageFailure(error: unknown): AppError | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof AppError && (cause.code === 'storage-full' || cause.code === 'storage-unavailable'))
      return cause;
    const { code = '', message } = cause as Error & { code?: string };
    const options = { cause: error, retryAfterSeconds: 5 };
    if (full.includes(code))
      return new AppError('storage-full', { reason: say('storage.full', { details: code }) }, options);
    const sqlite = /^SQLITE_(READONLY|IOERR|CANTOPEN)/.test(code);
    if (sqlite || outOfReach.includes(code) || brokenConnection.test(message)) {
      return new AppError('storage-unavailable', { reason: say('storage.unusable', { details: message }) }, options);
    }
  }
  return undefined;
}
