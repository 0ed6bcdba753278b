import { CommandError } from '../../src/cli/command-error.ts';
import type { Dataset } from '../../src/cli/dataset-folder.ts';
import { createRandom, sampleIndices } from '../../src/vision/math/random.ts';
import type { Dirt } from './measured-report.ts';

const SEED = 0;

/**
 * Draws defects from the test, as a careless person would leave them among the good training images, unlabelled.
 * @returns the changed data set, and the paths of the drawn defects
 * @throws CommandError where the share is out of range or the data set has too few defects
 */
export function mixInDefects(dataset: Dataset, { share, aside }: Dirt): { dataset: Dataset; defects: string[] } {
  if (!(share > 0 && share <= 0.5)) throw new CommandError(`The share of dirt is ${share}; it must be from 0 to 0.5.`);
  const candidates = dataset.test.filter(({ good }) => !good);
  const wanted = Math.max(1, Math.round((dataset.train.length * share) / (1 - share)));
  if (wanted >= candidates.length) {
    throw new CommandError(
      `${wanted} defects are to be mixed in, but ${dataset.name} has ${candidates.length} to test with.`,
    );
  }
  const drawn = [...sampleIndices(candidates.length, wanted, createRandom(SEED))];
  const defects = drawn.flatMap((index) => candidates[index]?.path ?? []);
  const unlabelled = aside ? [] : defects.map((path) => ({ path, good: true, regions: [] }));
  return {
    dataset: {
      name: dataset.name,
      train: [...dataset.train, ...unlabelled],
      test: dataset.test.filter(({ path }) => !defects.includes(path)),
    },
    defects,
  };
}
