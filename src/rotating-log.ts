import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface RotatingLog {
  /** Takes whole lines, as the logger hands them over. */
  write(line: string): void;
  close(): void;
}

const fileName = (number: number): string => (number === 0 ? 'kensa.log' : `kensa.${number}.log`);

/** Names of the log files that may be there, newest first. */
export function rotatedLogFiles(keep: number): string[] {
  return Array.from({ length: keep }, (_, number) => fileName(number));
}

export const keptLogFiles = 5;

/** A log in `folder` that begins a new file before one outgrows `maxBytes` and forgets the oldest beyond `keep`. */
export function openRotatingLog(
  folder: string,
  { maxBytes = 10 * 1024 * 1024, keep = keptLogFiles }: { maxBytes?: number; keep?: number } = {},
): RotatingLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pathOf = (number: number): string => join(folder, fileName(number));
  let file = openSync(pathOf(0), 'a', 0o600);
  let size = fstatSync(file).size;

  const rotate = (): void => {
    closeSync(file);
    rmSync(pathOf(keep - 1), { force: true });
    for (let number = keep - 2; number >= 0; number--) renameIfThere(pathOf(number), pathOf(number + 1));
    file = openSync(pathOf(0), 'a', 0o600);
    size = 0;
  };

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      try {
        if (size > 0 && size + bytes > maxBytes) rotate();
        writeSync(file, line);
        size += bytes;
      } catch {
        // A full disk must not stop the inspection; standard output still has the line.
      }
    },
    close: () => closeSync(file),
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
