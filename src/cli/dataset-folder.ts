import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import sharp from 'sharp';
import type { LabelledRegion } from '../vision/types.ts';
import { CommandError } from './command-error.ts';
import { imageName } from './image-files.ts';

/** An image to learn from, with the rectangles of its defects; a good one has none. */
export interface AnnotatedImage {
  readonly path: string;
  readonly good: boolean;
  readonly regions: readonly LabelledRegion[];
}

export interface TestImage {
  readonly path: string;
  /** Name of its folder under `test/`: `good`, or the kind of defect. */
  readonly kind: string;
  readonly good: boolean;
  /** White where the defect is; absent for good images and where no mask was drawn. */
  readonly maskPath?: string;
}

export interface Dataset {
  readonly name: string;
  readonly train: readonly AnnotatedImage[];
  readonly test: readonly TestImage[];
  /** Kinds of defects in the order of their label numbers, from 1 up, where some were labelled. */
  readonly kinds?: readonly string[];
}

async function imagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => imageName.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function findMask(folder: string, stem: string): string | undefined {
  return [`${stem}_mask.png`, `${stem}.png`].map((name) => join(folder, name)).find(existsSync);
}

async function testImages(directory: string, kind: string): Promise<TestImage[]> {
  const paths = await imagesIn(join(directory, 'test', kind));
  return paths.map((path) => {
    if (kind === 'good') return { path, kind, good: true };
    const maskPath = findMask(join(directory, 'ground_truth', kind), parse(path).name);
    return { path, kind, good: false, ...(maskPath ? { maskPath } : {}) };
  });
}

/**
 * Reads the layout `train/good`, `test/good`, `test/<kind>`, `ground_truth/<kind>/<stem>_mask.png` (or `<stem>.png`).
 * @param trainLimit only the first so many training images
 * @throws CommandError that names the missing folder, where the layout is another one
 */
export async function readDatasetFolder(directory: string, trainLimit?: number): Promise<Dataset> {
  for (const part of ['train/good', 'test']) {
    if (existsSync(join(directory, part))) continue;
    throw new CommandError(
      `${directory} has no folder ${part}; evaluate needs train/good, test/good and test/<kind of defect>.`,
    );
  }
  const entries = await readdir(join(directory, 'test'), { withFileTypes: true });
  const kinds = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const test: TestImage[] = [];
  for (const kind of kinds.sort()) test.push(...(await testImages(directory, kind)));
  const good = (await imagesIn(join(directory, 'train', 'good'))).slice(0, trainLimit);
  const train = good.map((path) => ({ path, good: true, regions: [] }));
  return { name: basename(resolve(directory)), train, test };
}

/** A drawn mask, [height · width], 1 = defect: every pixel that is neither dark nor transparent counts. */
export async function readMask(path: string): Promise<{ width: number; height: number; mask: Uint8Array }> {
  const image = sharp(path).toColourspace('srgb').ensureAlpha();
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const mask = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < mask.length; pixel++, at += 4) {
    const isDrawn = data[at + 3]! > 127 && Math.max(data[at]!, data[at + 1]!, data[at + 2]!) > 127;
    mask[pixel] = isDrawn ? 1 : 0;
  }
  return { width, height, mask };
}
