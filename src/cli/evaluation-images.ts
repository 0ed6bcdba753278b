import { basename, resolve } from 'node:path';
import type { LabelledBox } from '../vision/evaluation/detection-metrics.ts';
import { createRandom } from '../vision/math/random.ts';
import { sampleIndices } from '../vision/math/sample-indices.ts';
import { type BoxImage, readBoxDataset } from './box-dataset.ts';
import { CommandError } from './command-error.ts';
import { readDatasetFolder, type TestImage } from './dataset-folder.ts';
import { type LabelOptions, labelDefects } from './label-defects.ts';

/** Defects drawn from the test images, as a careless person would leave them among the good training images. */
export interface DirtOptions {
  /** Of the training images, defects among them: 0 to 0.5. */
  readonly share: number;
  readonly seed: number;
  /** false: the same defects are taken out of the test, but not into the training, to compare with. */
  readonly mixedIn: boolean;
}

export interface EvaluationSource {
  readonly directory: string;
  /** The folder has the DeepPCB layout, with rectangles. */
  readonly boxes?: boolean;
  /** Only the first so many training images. */
  readonly trainLimit?: number;
  readonly dirt?: DirtOptions;
  /** Defects of the test to learn from, annotated by their masks. */
  readonly labelled?: LabelOptions;
}

export interface EvaluationImages {
  readonly name: string;
  readonly train: readonly BoxImage[];
  readonly test: readonly TestImage[];
  /** True rectangles of the test images. */
  readonly truth: readonly LabelledBox[];
  /** Paths of the defects among the training images, unlabelled. */
  readonly dirt: readonly string[];
  /** Kinds of defects in the order of their label numbers, from 1 up, where some were labelled. */
  readonly kinds?: readonly string[];
}

async function readBoxImages(directory: string): Promise<EvaluationImages> {
  const { name, train, test } = await readBoxDataset(directory);
  const truth = test.flatMap(({ regions }, image) =>
    regions.flatMap(({ label, ...region }) => (label === null ? [] : [{ ...region, label, image }])),
  );
  const images = test.map(({ path, good }) => ({ path, good, kind: good ? 'good' : 'defect' }));
  return { name, train, test: images, truth, dirt: [] };
}

/** @throws CommandError where the share is out of range or the folder has too few defects */
function mixIn(images: EvaluationImages, { share, seed, mixedIn }: DirtOptions): EvaluationImages {
  if (!(share > 0 && share <= 0.5)) throw new CommandError(`The share of dirt is ${share}; it must be from 0 to 0.5.`);
  const defects = images.test.filter(({ good }) => !good);
  const wanted = Math.max(1, Math.round((images.train.length * share) / (1 - share)));
  if (wanted >= defects.length)
    throw new CommandError(
      `${wanted} defects are to be mixed in, but ${images.name} has ${defects.length} to test with.`,
    );
  const drawn = [...sampleIndices(defects.length, wanted, createRandom(seed))].flatMap((index) => defects[index] ?? []);
  const paths = drawn.map(({ path }) => path);
  return {
    ...images,
    train: mixedIn ? [...images.train, ...paths.map((path) => ({ path, good: true, regions: [] }))] : images.train,
    test: images.test.filter(({ path }) => !paths.includes(path)),
    dirt: mixedIn ? paths : [],
  };
}

/**
 * Which images an evaluation learns from and which it tests.
 * @throws CommandError in words for a folder of another layout, or dirt that cannot be had
 */
export async function readEvaluationImages(source: EvaluationSource): Promise<EvaluationImages> {
  const directory = resolve(source.directory);
  if (source.boxes) {
    if (source.dirt ?? source.labelled)
      throw new CommandError(
        'Dirt and labels are for a folder with train/good; one with boxes has rectangles already.',
      );
    const images = await readBoxImages(directory);
    return { ...images, train: images.train.slice(0, source.trainLimit) };
  }
  const { trainGood, test } = await readDatasetFolder(directory);
  const train = trainGood.slice(0, source.trainLimit).map((path) => ({ path, good: true, regions: [] }));
  const images = { name: basename(directory), train, test, truth: [], dirt: [] };
  const mixed = source.dirt ? mixIn(images, source.dirt) : images;
  return source.labelled ? labelDefects(mixed, source.labelled) : mixed;
}
