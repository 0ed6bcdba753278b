import { readFile } from 'node:fs/promises';
import { decodeImage } from '../vision/image/decode-image.ts';
import { connectedComponents } from '../vision/math/connected-components.ts';
import { createRandom } from '../vision/math/random.ts';
import type { LabelledRegion } from '../vision/types.ts';
import { CommandError } from './command-error.ts';
import { type AnnotatedImage, type Dataset, readMask, type TestImage } from './dataset-folder.ts';

/** Defects of the test that a person has annotated, to learn from. */
export interface LabelOptions {
  /** From 1 on a number of defects, below 1 a share of them. */
  readonly count: number;
  readonly seed: number;
}

/** Parts of a mask smaller than this share of its largest part are drawn by accident. */
const SPECK = 0.02;

/** Rectangles around the parts of the image's mask; none without a mask. */
async function maskRegions({ path, maskPath }: TestImage, label: number): Promise<LabelledRegion[]> {
  if (!maskPath) return [];
  const { width, height, mask } = await readMask(maskPath);
  const size = await decodeImage(await readFile(path));
  const scaleX = size.width / width;
  const scaleY = size.height / height;
  const parts = connectedComponents(new Float32Array(mask.length), mask, height, width);
  const largest = Math.max(...parts.map(({ cells }) => cells));
  return parts
    .filter(({ cells }) => cells >= SPECK * largest)
    .map(({ firstColumn, firstRow, lastColumn, lastRow }) => ({
      xMin: firstColumn * scaleX,
      yMin: firstRow * scaleY,
      xMax: (lastColumn + 1) * scaleX,
      yMax: (lastRow + 1) * scaleY,
      label,
    }));
}

/** Draws defects from each kind in turn, so that every kind is among them as early as possible. Returns indices. */
function drawDefects(test: readonly TestImage[], kinds: readonly string[], { count, seed }: LabelOptions): number[] {
  const random = createRandom(seed);
  const defects = test.flatMap(({ good }, index) => (good ? [] : [index]));
  const wanted = count < 1 ? Math.round(count * defects.length) : count;
  if (!(wanted >= 1 && wanted < defects.length && Number.isInteger(wanted))) {
    throw new CommandError(
      `${count} of ${defects.length} defects cannot be labelled; leave at least one to test with.`,
    );
  }
  const shuffled = kinds.map((kind) => {
    const waiting = defects.filter((index) => test[index]?.kind === kind);
    return Array.from({ length: waiting.length }, () => waiting.splice(random.integer(waiting.length), 1)[0] ?? 0);
  });
  const drawn: number[] = [];
  while (drawn.length < wanted) {
    for (const ofKind of shuffled) {
      const next = ofKind.pop();
      if (next !== undefined && drawn.length < wanted) drawn.push(next);
    }
  }
  return drawn;
}

/**
 * Moves some defects from the test to the training, annotated by their masks. Kinds become label numbers from 1 up.
 * @throws CommandError where the data set has too few defects, or none would be left to test with
 */
export async function labelDefects(dataset: Dataset, options: LabelOptions): Promise<Dataset> {
  const kinds = [...new Set(dataset.test.filter(({ good }) => !good).map(({ kind }) => kind))].sort();
  const drawn = drawDefects(dataset.test, kinds, options);
  const labelled: AnnotatedImage[] = [];
  for (const index of drawn) {
    const image = dataset.test[index];
    if (!image) continue;
    const regions = await maskRegions(image, kinds.indexOf(image.kind) + 1);
    labelled.push({ path: image.path, good: false, regions });
  }
  return {
    name: dataset.name,
    train: [...dataset.train, ...labelled],
    test: dataset.test.filter((_, index) => !drawn.includes(index)),
    kinds,
  };
}
