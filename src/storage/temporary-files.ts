import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any upload or import takes that is still under way. */
const ABANDONED_MS = 86_400_000;

/** Deletes the files of writes and imports that a killed process left unfinished, at any depth of the folders. */
export async function sweepTemporaryFiles(folders: readonly string[], now: number): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
    for (const name of names.filter((each) => /\.(part|upload)$/.test(each))) {
      const path = join(folder, name);
      const modifiedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now,
      );
      if (now - modifiedAt > ABANDONED_MS) await rm(path, { force: true });
    }
  }
}
