import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LabelledRegion } from '../vision/types.ts';
import { CommandError } from './command-error.ts';

/** A photo with the rectangles of its defects; a good one has none. */
export interface BoxImage {
  readonly path: string;
  readonly good: boolean;
  readonly regions: readonly LabelledRegion[];
}

/** The DeepPCB layout, split in halves by turns within each folder. */
export interface BoxDataset {
  readonly name: string;
  readonly train: readonly BoxImage[];
  readonly test: readonly BoxImage[];
}

const TEST = '_test.jpg';

/** Lines `x1 y1 x2 y2 class`. @throws CommandError that names file and line */
async function readBoxes(path: string): Promise<LabelledRegion[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const numbers = line
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [xMin = 0, yMin = 0, xMax = 0, yMax = 0, label = 0] = numbers;
    if (numbers.length !== 5 || !numbers.every(Number.isFinite) || xMax <= xMin || yMax <= yMin)
      throw new CommandError(`${path} line ${index + 1} is "${line}"; five numbers x1 y1 x2 y2 class are needed.`);
    return { xMin, yMin, xMax, yMax, label };
  });
}

/** Folders below `directory` that have a folder of rectangles, `<name>_not`, beside them. */
async function photoFolders(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = new Set(entries.map((entry) => entry.name));
  const here = [...names].filter((name) => names.has(`${name}_not`)).map((name) => join(directory, name));
  const below = await Promise.all(
    [...names].filter((name) => !names.has(`${name}_not`)).map((name) => photoFolders(join(directory, name))),
  );
  return [...here, ...below.flat()].sort();
}

async function readPair(folder: string, stem: string): Promise<readonly [BoxImage, BoxImage]> {
  const regions = await readBoxes(join(`${folder}_not`, `${stem}.txt`));
  return [
    { path: join(folder, `${stem}_temp.jpg`), good: true, regions: [] },
    { path: join(folder, stem + TEST), good: false, regions },
  ];
}

/**
 * Reads `<folder>/<stem>_temp.jpg` (good), `<stem>_test.jpg` and `<folder>_not/<stem>.txt` (Tang et al. 2019): in each
 * folder the first, third, … pair is for training, the others for the test.
 * @throws CommandError where there is no such folder, or a line of rectangles is wrong
 */
export async function readBoxDataset(directory: string): Promise<BoxDataset> {
  const [train, test]: [BoxImage[], BoxImage[]] = [[], []];
  for (const folder of await photoFolders(directory)) {
    const names = (await readdir(folder)).filter((name) => name.endsWith(TEST)).sort();
    for (const [index, name] of names.entries())
      (index % 2 === 0 ? train : test).push(...(await readPair(folder, name.slice(0, -TEST.length))));
  }
  if (train.length === 0)
    throw new CommandError(`${directory} has no folder of photos with a folder <name>_not of rectangles beside it.`);
  return { name: basename(directory), train, test };
}
