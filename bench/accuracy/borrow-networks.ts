import { copyFile, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DESCRIPTIONS = fileURLToPath(new URL('../networks/', import.meta.url));

/**
 * Makes a folder for `BACKBONES_DIR`: the ONNX files of `folder`, each with the JSON beside it, or with our JSON for a
 * public network of that name.
 * @returns the folder and the names of its networks
 */
export async function borrowNetworks(folder: string): Promise<{ folder: string; names: string[] }> {
  const borrowed = await mkdtemp(join(tmpdir(), 'kensa-networks-'));
  const [files, known] = [await readdir(folder), await readdir(DESCRIPTIONS)];
  const names: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.onnx'))) {
    const { name } = parse(file);
    const json = `${name}.json`;
    const beside = files.includes(json)
      ? join(folder, json)
      : known.includes(json)
        ? join(DESCRIPTIONS, json)
        : undefined;
    if (!beside) continue;
    await copyFile(beside, join(borrowed, json));
    await symlink(resolve(folder, file), join(borrowed, file));
    names.push(name);
  }
  return { folder: borrowed, names: names.sort() };
}
