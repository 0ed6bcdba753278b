import { Tensor } from 'onnxruntime-node';
import { collectGarbage } from '../../onnx/collect-garbage.ts';
import { GraphBuilder, type GraphValue } from '../../onnx/graph-builder.ts';
import { openSession, type Threads } from '../../onnx/open-session.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import { type FitInput, getNumber } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from '../supervised/adam.ts';
import { type DetectorNetwork, detectorShapes, networkThreads, openCellPredictor } from './detector-network.ts';
import { foldScale } from './feature-scale.ts';
import { openMuon } from './muon.ts';
import {
  addGradients,
  addTrainingLayers,
  drawNetwork,
  foldNetwork,
  gradientName,
  nameOf,
  noteBatch,
  type Parameter,
  parametersOf,
  type TrainableLayer,
  updateAverage,
} from './trainable-network.ts';
import { batchDims, batchTensors, drawBatch, EXAMPLES, PARTS } from './training-batch.ts';
import { type CropCollection, collectHardCrops, cropSides, type TrainingCrop } from './training-crops.ts';
import { PREDICTED_VIEWS, viewsOf } from './views.ts';

const LEARNING_RATE = 0.003;
/** Muon's rate for the weights, in learning rates; scales and biases learn by Adam. */
const WEIGHT_RATE = 3;
const WARM_UP_STEPS = 30;
/** A network that only sets limits gets at least so many steps, or all. */
const LEAST_STEPS = 60;
const WEIGHT_DECAY = 0.3;
/** The averaged network moves towards the trained one by this share a step, faster in the first steps. */
const AVERAGE_SHARE = 0.01;
const FIRST_STEPS = 9;
/** Garbage is collected after so many steps. */
const COLLECTED_STEPS = 4;
/** Parts of the steps at which hard negatives are searched; a network that only sets limits leaves out the first. */
const SEARCHES = [1 / 4, 1 / 2];
/** γ of the focal loss (Lin et al. 2017): easy cells count less. */
const GAMMA = 1.5;
/** δ of the Huber loss: squared up to this error, linear above (Girshick 2015). */
const DELTA = 0.5;

/**
 * Adds the gradient of the loss by the network's outputs [examples, classes + 4, rows, columns]: cross entropy of the
 * classes with focal weights, Huber loss of the sides.
 * @param targets see `batchDims`
 */
export function addLossGradient(
  graph: GraphBuilder,
  outputs: GraphValue,
  classCount: number,
  targets: Readonly<Record<'classes' | 'classWeights' | 'sides' | 'sideWeights', GraphValue>>,
): GraphValue {
  const { classes, classWeights, sides, sideWeights } = targets;
  const overClasses = { axis: 1 };
  const scalar = (value: number, dims: number[] = [1]) => graph.constant(Float32Array.of(value), dims);
  const parts = [outputs, graph.integers(classCount, 4)];
  const [logits, foundSides] = graph.addSplit('Split', parts, 2, overClasses);
  const probabilities = graph.add('Softmax', [logits], overClasses);
  const truth = graph.add('Mul', [probabilities, classes]);
  const trueProbability = graph.add('ReduceSum', [truth, graph.integers(1)], { keepdims: 1 });
  // Rounding may leave a little less than 0, which has no power.
  const miss = graph.add('Relu', [graph.add('Sub', [scalar(1), trueProbability])]);
  const focal = graph.add('Mul', [graph.add('Pow', [miss, scalar(GAMMA)]), classWeights]);
  const byClasses = graph.add('Mul', [graph.add('Sub', [probabilities, classes]), focal]);
  const steep = graph.add('Mul', [graph.add('Sub', [foundSides, sides]), scalar(1 / DELTA)]);
  const clipped = graph.add('Clip', [steep, scalar(-1, []), scalar(1, [])]);
  return graph.add('Concat', [byClasses, graph.add('Mul', [clipped, sideWeights])], overClasses);
}

/** From a part of a batch to the gradients of the loss by the network's weights, scales and biases, which are inputs as well. */
function gradientGraph(network: readonly TrainableLayer[], side: number): Uint8Array {
  const shapes = network.map(({ shape }) => shape);
  const classes = (shapes.at(-1)?.outputs ?? 0) - 4;
  const dims = batchDims(shapes[0]?.inputs ?? 0, classes, side);
  const graph = new GraphBuilder();
  const layers = addTrainingLayers(graph, shapes, graph.input('features', dims.features));
  const gradient = addLossGradient(graph, layers.at(-1)!.output, classes, {
    classes: graph.input('classes', dims.classes),
    classWeights: graph.input('classWeights', dims.classWeights),
    sides: graph.input('sides', dims.sides),
    sideWeights: graph.input('sideWeights', dims.sideWeights),
  });
  addGradients(graph, layers, gradient, { examples: EXAMPLES, side });
  return graph.encode();
}

/** What the session of {@link gradientGraph} found for each part of a batch. */
type PartResults = readonly Readonly<Record<string, Tensor>>[];

const resultOf = (result: PartResults[number], name: string) => result[name]?.data as Float32Array;

/** Opens the gradients by the network's weights. The parts of a batch go side by side where there are threads for it. */
async function openGradients(network: readonly TrainableLayer[], side: number, threads: Threads) {
  const parameters = parametersOf(network);
  const session = await openSession(gradientGraph(network, side), threads);
  return {
    /** The gradients by the weights as they are now; they may change meanwhile. */
    run(parts: PartResults): Promise<PartResults> {
      const learned = parameters.map(
        ({ name, values, dims }) => [name, new Tensor('float32', values.slice(), dims)] as const,
      );
      return Promise.all(parts.map((part) => session.run({ ...part, ...Object.fromEntries(learned) })));
    },
    dispose: () => session.release(),
  };
}

/** The mean gradient of the parts by each of the parameters. Their order, and so the last bits, are always the same. */
const meanGradients = (parameters: readonly Parameter[], results: PartResults): Float32Array[] =>
  parameters.map(({ name, values }) => {
    const sum = new Float32Array(values.length);
    for (const result of results) {
      const found = resultOf(result, gradientName(name));
      for (let i = 0; i < sum.length; i++) sum[i]! += found[i]! / PARTS;
    }
    return sum;
  });

/** Updates the running means and variances of the layers. */
function noteParts(network: readonly TrainableLayer[], results: PartResults): void {
  for (const result of results)
    for (const [index, layer] of network.entries())
      if (layer.scale)
        noteBatch(layer, resultOf(result, nameOf('mean', index)), resultOf(result, nameOf('variance', index)));
}

export interface NetworkTraining {
  readonly input: FitInput;
  readonly collection: CropCollection;
  readonly labels: readonly (number | null)[];
  /** Share of the training steps of the parameters. */
  readonly share: number;
  report(done: number, total: number): void;
}

/**
 * Trains a network on crops by Muon and Adam, with a warm-up and a learning rate that then falls along a half cosine.
 * Good places that it takes for defects are searched twice and shown more often. The result averages about the last
 * hundred steps.
 * @param samples where hard negatives are searched
 * @throws VisionError `cancelled`
 */
export async function trainNetwork(
  samples: readonly TrainingSample[],
  crops: readonly TrainingCrop[],
  { input, collection, labels, share, report }: NetworkTraining,
): Promise<DetectorNetwork> {
  const { params, random, signal } = input;
  const threads = networkThreads(input);
  const { layout, scale, extractor } = collection;
  const allSteps = getNumber(params, 'training_steps');
  const steps = Math.min(allSteps, Math.max(LEAST_STEPS, Math.ceil(share * allSteps)));
  const { view: side } = cropSides(layout, scale.cellSide);
  const channels = scale.mean.length;
  const network = drawNetwork(detectorShapes(channels, labels.length + 5), random);
  const averaged = structuredClone(network);
  const trained = (views: DetectorNetwork['views']): DetectorNetwork => {
    const [first, ...others] = foldNetwork(averaged);
    return { level: extractor.level, layers: [foldScale(first!, scale), ...others], layout, views };
  };
  const classes = labels
    .map((label) => crops.filter((crop) => crop.label === label))
    .filter(({ length }) => length > 0);
  const good = crops.filter(({ label }) => label === undefined);
  let hard: readonly TrainingCrop[] = [];

  const asItIs = viewsOf({ rotations: false, flips: false });
  async function searchHardCrops(): Promise<TrainingCrop[]> {
    const predictor = await openCellPredictor(trained(asItIs), extractor, threads);
    try {
      return await collectHardCrops(samples, predictor, collection);
    } finally {
      await predictor.dispose();
    }
  }

  const parameters = parametersOf(network);
  const weights = parameters.filter(({ isWeight }) => isWeight);
  const others = parameters.filter(({ isWeight }) => !isWeight);
  const muon = await openMuon(
    weights.map(({ values, dims: [rows = 0] }) => ({ rows, values })),
    WEIGHT_DECAY,
  );
  const adamStep = openAdam(
    others.map(({ values }) => values),
    others.map(() => 0),
  );
  const searches = SEARCHES.slice(share < 1 ? 1 : 0).map((part) => Math.round(part * steps));
  const gradients = await openGradients(network, side, threads);
  function* drawBatches() {
    const options = { labels, channels, side, random };
    for (let drawn = 0; drawn < steps; drawn++)
      yield drawBatch({ classes, good, hard }, random).map((part) => batchTensors(part, options));
  }
  try {
    let step = 0;
    // The next gradients are already under way, by the weights before this step: no thread waits for it.
    for await (const results of prefetch(drawBatches(), gradients.run, 1)) {
      throwIfCancelled(signal);
      if (searches.includes(step)) hard = await searchHardCrops();
      noteParts(network, results);
      if (step % COLLECTED_STEPS === 0) collectGarbage({ type: 'minor' });
      const warmUp = Math.min(1, (step + 1) / WARM_UP_STEPS);
      const rate = LEARNING_RATE * warmUp * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
      await muon.step(meanGradients(weights, results), WEIGHT_RATE * rate);
      adamStep(meanGradients(others, results), rate);
      updateAverage(averaged, network, Math.max(AVERAGE_SHARE, FIRST_STEPS / (step + FIRST_STEPS + 1)));
      report(++step, steps);
    }
  } finally {
    await gradients.dispose();
    await muon.dispose();
  }
  return trained(collection.views.slice(0, PREDICTED_VIEWS));
}
