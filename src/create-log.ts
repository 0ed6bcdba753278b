import { join } from 'node:path';
import { destination, type Logger, multistream, pino } from 'pino';
import type { Config } from './config.ts';
import { openRotatingLog } from './rotating-log.ts';

export const logDirOf = (dataDir: string): string => join(dataDir, 'logs');

/** JSON lines to standard output, and to files of the data folder that `POST /api/v1/utils/debug` hands out. */
export function createLog(config: Config, { logToFiles }: { logToFiles: boolean }): { log: Logger; close: () => void } {
  const level = config.KENSA_LOG_LEVEL;
  const options = {
    level,
    redact: ['req.headers.authorization', 'secret', 'client_secret', '*.secret', '*.client_secret'],
  };
  if (!logToFiles || level === 'silent') return { log: pino(options), close: () => {} };
  const file = openRotatingLog(logDirOf(config.KENSA_DATA_DIR));
  const streams = [destination(1), file].map((stream) => ({ level, stream }));
  return { log: pino(options, multistream(streams)), close: () => file.close() };
}
