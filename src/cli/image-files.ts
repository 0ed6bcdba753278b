import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';

const imageEnding = /\.(jpe?g|png|webp|tiff?|bmp)$/i;

interface ImageFile {
  readonly path: string;
  /** Below the folder that was named, or its bare name where the file itself was. */
  readonly below: string;
}

async function search(paths: readonly string[]): Promise<ImageFile[]> {
  const found: ImageFile[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) {
      found.push({ path, below: basename(path) });
      continue;
    }
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && imageEnding.test(entry.name));
    const below = files.map((entry) => relative(path, join(entry.parentPath, entry.name))).sort();
    found.push(...below.map((name) => ({ path: join(path, name), below: name })));
  }
  return found;
}

/** Image files below the paths, folders searched through, in a stable order. */
export async function findImageFiles(paths: readonly string[]): Promise<string[]> {
  return (await search(paths)).map(({ path }) => path);
}

/** The same files, each with the path of its heatmap: subfolders are kept, and no two images share a path. */
export async function findImagesToInspect(paths: readonly string[]): Promise<{ path: string; heatmap: string }[]> {
  const taken = new Set<string>();
  return (await search(paths)).map(({ path, below }) => {
    const stem = below.slice(0, below.length - extname(below).length);
    let heatmap = `${stem}_heatmap.jpg`;
    for (let count = 2; taken.has(heatmap); count++) heatmap = `${stem}-${count}_heatmap.jpg`;
    taken.add(heatmap);
    return { path, heatmap };
  });
}

/** SHA-256 of a file's content: the same for copies of an image, whatever their names. */
export async function fileDigest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
