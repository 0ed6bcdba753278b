import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the log files that may be there, newest first. */
export const logFileNames = ['kensa.log', 'kensa.1.log', 'kensa.2.log', 'kensa.3.log', 'kensa.4.log'];

/** A log in `folder` that begins a new file before one outgrows `maxBytes`, and keeps the newest five. */
export function openRotatingLog(folder: string, maxBytes = 10 * 1024 * 1024) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const paths = logFileNames.map((name) => join(folder, name));
  const open = (): number => openSync(paths[0] ?? '', 'a', 0o600);
  let file = open();
  let size = fstatSync(file).size;

  const rotate = (): void => {
    closeSync(file);
    for (let number = paths.length - 1; number > 0; number--) {
      const [newer = '', older = ''] = paths.slice(number - 1);
      if (existsSync(newer)) renameSync(newer, older);
    }
    file = open();
    size = 0;
  };

  return {
    /** Takes whole lines, as the logger hands them over. */
    write(line: string): void {
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
