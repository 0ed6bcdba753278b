import { readFile } from 'node:fs/promises';
import { decodeImage } from '../vision/image/decode-image.ts';
import { connectedComponents } from '../vision/math/connected-components.ts';
import { createRandom } from '../vision/math/random.ts';
import type { LabelledRegion } from '../vision/types.ts';
import { CommandError } from './command-error.ts';
import { type AnnotatedImage, type Dataset, readMask, type TestImage } from './dataset-folder.ts';

/** Parts of a mask smaller than this share of its largest part are drawn by accident. */
const SPECK = 0.02;

/**
 * Moves some defects from the test to the training, annotated by their masks. Kinds become label numbers from 1 up.
 * @param options `count`: from 1 on a number of defects, below 1 a share of them
 * @throws CommandError if the data set has too few defects, or none would be left to test with
 */
export async function labelDefects(dataset: Dataset, options: { count: number; seed: number }): Promise<Dataset> {
  const { count, seed } = options;
  const defects = dataset.test.filter(({ good }) => !good);
  const wanted = count < 1 ? Math.round(count * defects.length) : count;
  if (!(wanted >= 1 && wanted < defects.length && Number.isInteger(wanted))) {
    throw new CommandError(
      `${count} of ${defects.length} defects cannot be labelled; leave at least one to test with.`,
    );
  }
  const kinds = [...new Set(defects.map(({ kind }) => kind))].sort();
  const drawn = drawDefects(defects, kinds, seed).slice(0, wanted);
  const labelled: AnnotatedImage[] = [];
  for (const image of drawn) {
    const regions = await maskRegions(image, kinds.indexOf(image.kind) + 1);
    labelled.push({ path: image.path, good: false, regions });
  }
  return {
    name: dataset.name,
    train: [...dataset.train, ...labelled],
    test: dataset.test.filter((image) => !drawn.includes(image)),
    kinds,
  };
}

/** All defects in random order, the kinds by turns: every kind is among them as early as possible. */
function drawDefects(defects: readonly TestImage[], kinds: readonly string[], seed: number): TestImage[] {
  const random = createRandom(seed);
  const shuffled = kinds.map((kind) => {
    const remaining = defects.filter((image) => image.kind === kind);
    const order: TestImage[] = [];
    while (remaining.length > 0) order.unshift(...remaining.splice(random.integer(remaining.length), 1));
    return order;
  });
  const rounds = Math.max(...shuffled.map((ofKind) => ofKind.length));
  return Array.from({ length: rounds }, (_, round) => shuffled.flatMap((ofKind) => ofKind[round] ?? [])).flat();
}

/** Rectangles around the parts of the image's mask; none without a mask. */
async function maskRegions({ path, maskPath }: TestImage, label: number): Promise<LabelledRegion[]> {
  if (!maskPath) return [];
  const { width, height, mask } = await readMask(maskPath);
  const size = await decodeImage(await readFile(path));
  const scaleX = size.width / width;
  const scaleY = size.height / height;
  const components = connectedComponents(new Float32Array(mask.length), mask, height, width);
  const largest = Math.max(...components.map(({ cells }) => cells));
  return components
    .filter(({ cells }) => cells >= SPECK * largest)
    .map(({ firstColumn, firstRow, lastColumn, lastRow }) => ({
      xMin: firstColumn * scaleX,
      yMin: firstRow * scaleY,
      xMax: (lastColumn + 1) * scaleX,
      yMax: (lastRow + 1) * scaleY,
      label,
    }));
}
