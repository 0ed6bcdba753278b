import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from '../supervised/adam.ts';
import type { ConvNetwork } from '../supervised/conv-network.ts';
import { copyNetwork, drawNetwork, foldNetwork, follow, parametersOf } from '../supervised/trainable-network.ts';
import type { ColourScale } from './detector-network.ts';
import { detectorShapes } from './detector-shapes.ts';
import { openSteps } from './detector-steps.ts';
import { colourScale, type Drawing, drawBatch, toFeeds } from './training-batch.ts';
import type { TrainingWindow } from './training-windows.ts';

const LEARNING_RATE = 0.003;
const WARM_UP = 30;
const DECAY = 0.01;
/** The network that is used follows the trained one by this share a step, and faster in the first steps. */
const [FOLLOWING, FIRST_STEPS] = [0.01, 9];
/** Parts of the steps after which good places are looked for again that look like defects. */
const SEARCHES = [1 / 4, 1 / 2];

export interface DetectorTraining extends Drawing {
  readonly steps: number;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Windows around good places that the network takes for defects. */
  findHard(network: ConvNetwork, colours: ColourScale): Promise<readonly TrainingWindow[]>;
  report?(done: number, total: number): void;
}

/**
 * Trains the network on windows: the learning rate rises, then falls along a half cosine; good places that it takes for
 * defects are searched twice and shown more often. What comes of it is the mean of the last hundred steps' networks or so.
 * @throws VisionError `cancelled`
 */
export async function trainDetector(
  windows: readonly TrainingWindow[],
  labels: readonly (number | null)[],
  training: DetectorTraining,
): Promise<{ network: ConvNetwork; colours: ColourScale }> {
  const { steps, shown, random, threads, signal } = training;
  const network = drawNetwork(detectorShapes(labels.length + 5), random);
  const mean = copyNetwork(network);
  const colours = colourScale(windows);
  const classes = labels
    .map((label) => windows.filter((window) => window.label === label))
    .filter(({ length }) => length > 0);
  const good = windows.filter(({ label }) => label === undefined);
  let hard: readonly TrainingWindow[] = [];
  const searches = SEARCHES.map((share) => Math.round(share * steps));
  const parameters = parametersOf(network);
  const descend = openAdam(
    parameters.map(({ values }) => values),
    parameters.map(({ decays }) => (decays ? DECAY : 0)),
  );
  const session = await openSteps(network, shown, threads);
  try {
    for (let step = 0; step < steps; step++) {
      throwIfCancelled(signal);
      if (searches.includes(step)) hard = await training.findHard(foldNetwork(mean), colours);
      const feeds = toFeeds(drawBatch({ classes, good, hard }, random), labels, colours, training);
      const rate = LEARNING_RATE * Math.min(1, (step + 1) / WARM_UP) * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
      descend(await session.slopes(feeds), rate);
      follow(mean, network, Math.max(FOLLOWING, FIRST_STEPS / (step + FIRST_STEPS + 1)));
      training.report?.(step + 1, steps);
    }
  } finally {
    await session.dispose();
  }
  return { network: foldNetwork(mean), colours };
}
