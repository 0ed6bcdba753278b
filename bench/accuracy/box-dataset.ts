import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CommandError } from '../../src/cli/command-error.ts';
import type { AnnotatedImage } from '../../src/cli/dataset-folder.ts';
import type { LabelledRegion } from '../../src/vision/types.ts';

/** The DeepPCB layout: images with rectangles instead of folders of good and defective images. */
export interface BoxDataset {
  readonly name: string;
  readonly train: readonly AnnotatedImage[];
  readonly test: readonly AnnotatedImage[];
}

const TEST = '_test.jpg';

/** Reads lines `x1 y1 x2 y2 class`. @throws CommandError that names file and line */
async function readBoxes(path: string): Promise<LabelledRegion[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const numbers = line
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [xMin = 0, yMin = 0, xMax = 0, yMax = 0, label = 0] = numbers;
    if (numbers.length !== 5 || !numbers.every(Number.isFinite) || xMax <= xMin || yMax <= yMin) {
      throw new CommandError(`${path} line ${index + 1} is "${line}"; five numbers x1 y1 x2 y2 class are needed.`);
    }
    return { xMin, yMin, xMax, yMax, label };
  });
}

/** Folders below `directory` that have a folder of rectangles, `<name>_not`, beside them. */
async function imageFolders(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = new Set(entries.map((entry) => entry.name));
  const folders: string[] = [];
  for (const name of names) {
    const folder = join(directory, name);
    if (names.has(`${name}_not`)) folders.push(folder);
    else folders.push(...(await imageFolders(folder)));
  }
  return folders.sort();
}

async function readPair(folder: string, stem: string): Promise<AnnotatedImage[]> {
  const regions = await readBoxes(join(`${folder}_not`, `${stem}.txt`));
  return [
    { path: join(folder, `${stem}_temp.jpg`), good: true, regions: [] },
    { path: join(folder, stem + TEST), good: false, regions },
  ];
}

/**
 * Reads `<folder>/<stem>_temp.jpg` (good), `<stem>_test.jpg` and `<folder>_not/<stem>.txt` (Tang et al. 2019). In each
 * folder the first, third, … pair is for training, the others are for the test.
 * @throws CommandError where no folder has this layout, or a line of rectangles is wrong
 */
export async function readBoxDataset(directory: string): Promise<BoxDataset> {
  const train: AnnotatedImage[] = [];
  const test: AnnotatedImage[] = [];
  for (const folder of await imageFolders(directory)) {
    const names = (await readdir(folder)).filter((name) => name.endsWith(TEST)).sort();
    for (const [index, name] of names.entries()) {
      const pair = await readPair(folder, name.slice(0, -TEST.length));
      (index % 2 === 0 ? train : test).push(...pair);
    }
  }
  if (train.length === 0) {
    throw new CommandError(`${directory} has no folder of images with a folder <name>_not of rectangles beside it.`);
  }
  return { name: basename(resolve(directory)), train, test };
}
