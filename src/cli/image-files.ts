import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

export const imageName = /\.(jpe?g|png|webp|tiff?|bmp)$/i;

export interface ImageFile {
  readonly path: string;
  /** Its path below the named folder; the bare name of a named file. */
  readonly below: string;
}

/** Image files at and below the paths, in a stable order. */
export async function findImageFiles(paths: readonly string[]): Promise<ImageFile[]> {
  const found: ImageFile[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) {
      found.push({ path, below: basename(path) });
      continue;
    }
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && imageName.test(entry.name));
    const names = files.map((entry) => relative(path, join(entry.parentPath, entry.name))).sort();
    found.push(...names.map((below) => ({ path: join(path, below), below })));
  }
  return found;
}

/** SHA-256 of a file's content: the same for copies of an image, whatever their names. */
export async function fileDigest(path: string): Promise<string> {
  const content = await readFile(path);
  return createHash('sha256').update(content).digest('hex');
}
