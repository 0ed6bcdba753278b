import { access, readdir } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { CommandError } from './command-error.ts';

export interface TestImage {
  readonly path: string;
  /** Name of its folder under `test/`: `good`, or the kind of defect. */
  readonly kind: string;
  readonly good: boolean;
  /** White where the defect is; absent for good images and where no mask was drawn. */
  readonly maskPath?: string;
}

/** Images in the layout `train/good`, `test/good`, `test/<kind>`, `ground_truth/<kind>/<stem>_mask.png` (or `<stem>.png`). */
export interface DatasetFolder {
  readonly name: string;
  readonly trainGood: readonly string[];
  readonly test: readonly TestImage[];
}

const IMAGE_NAME = /\.(jpe?g|png|webp|tiff?|bmp)$/i;
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function imagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => IMAGE_NAME.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function findMask(folder: string, stem: string): Promise<string | undefined> {
  for (const name of [`${stem}_mask.png`, `${stem}.png`])
    if (await exists(join(folder, name))) return join(folder, name);
  return undefined;
}

async function testImages(directory: string, kind: string): Promise<TestImage[]> {
  const paths = await imagesIn(join(directory, 'test', kind));
  if (kind === 'good') return paths.map((path) => ({ path, kind, good: true }));
  const images: TestImage[] = [];
  for (const path of paths) {
    const maskPath = await findMask(join(directory, 'ground_truth', kind), parse(path).name);
    images.push({ path, kind, good: false, ...(maskPath ? { maskPath } : {}) });
  }
  return images;
}

/** @throws CommandError that names the missing folder, where the layout is another one */
export async function readDatasetFolder(directory: string): Promise<DatasetFolder> {
  for (const part of ['train/good', 'test'])
    if (!(await exists(join(directory, part))))
      throw new CommandError(
        `${directory} has no folder ${part}; evaluate needs train/good, test/good and test/<kind of defect>.`,
      );
  const entries = await readdir(join(directory, 'test'), { withFileTypes: true });
  const kinds = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const test: TestImage[] = [];
  for (const kind of kinds.sort()) test.push(...(await testImages(directory, kind)));
  return { name: basename(directory), trainGood: await imagesIn(join(directory, 'train', 'good')), test };
}
