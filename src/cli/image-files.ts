import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

const imageEnding = /\.(jpe?g|png|webp|tiff?|bmp)$/i;

/** Image files below the paths, folders searched through, in a stable order. */
export async function findImageFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) {
      found.push(path);
      continue;
    }
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && imageEnding.test(entry.name));
    found.push(...files.map((entry) => join(path, relative(path, join(entry.parentPath, entry.name)))).sort());
  }
  return found;
}
