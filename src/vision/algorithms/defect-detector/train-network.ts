import { Tensor } from 'onnxruntime-node';
import { collectGarbage } from '../../onnx/collect-garbage.ts';
import { GraphBuilder, type GraphValue } from '../../onnx/graph-builder.ts';
import { openSession, type Threads } from '../../onnx/open-session.ts';
import { type FitInput, getNumber, imageThreads } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from '../supervised/adam.ts';
import { type DetectorNetwork, detectorShapes, openCellPredictor } from './detector-network.ts';
import { foldScale } from './feature-scale.ts';
import {
  addGradients,
  addTrainingLayers,
  drawNetwork,
  foldNetwork,
  gradientName,
  nameOf,
  noteBatch,
  parametersOf,
  type TrainableLayer,
  updateAverage,
} from './trainable-network.ts';
import { batchDims, batchTensors, drawBatch, EXAMPLES, PARTS } from './training-batch.ts';
import { type CropCollection, collectHardCrops, cropSides, type TrainingCrop } from './training-crops.ts';
import { PREDICTED_VIEWS, viewsOf } from './views.ts';

const LEARNING_RATE = 0.003;
const WARM_UP_STEPS = 30;
const WEIGHT_DECAY = 0.3;
/** The averaged network moves towards the trained one by this share a step, faster in the first steps. */
const AVERAGE_SHARE = 0.01;
const FIRST_STEPS = 9;
/** Garbage is collected after so many steps. */
const COLLECTED_STEPS = 8;
/** Parts of the steps at which hard negatives are searched. */
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

/**
 * Opens the gradients by the network's weights as they are at each call. The parts of a batch go side by side where
 * there are threads for it; their gradients are averaged in the same order in any case.
 */
async function openGradients(network: readonly TrainableLayer[], side: number, threads: Threads) {
  const parameters = parametersOf(network);
  const session = await openSession(gradientGraph(network, side), threads);
  return {
    /** Gradients in the order of `parametersOf`. Updates the running means and variances of the layers. */
    async run(parts: readonly Readonly<Record<string, Tensor>>[]): Promise<Float32Array[]> {
      const learned = parameters.map(({ name, values, dims }) => [name, new Tensor('float32', values, dims)] as const);
      const results = await Promise.all(parts.map((part) => session.run({ ...part, ...Object.fromEntries(learned) })));
      const sums = parameters.map(({ values }) => new Float32Array(values.length));
      for (const result of results) {
        const resultOf = (name: string) => result[name]?.data as Float32Array;
        for (const [index, layer] of network.entries())
          if (layer.scale) noteBatch(layer, resultOf(nameOf('mean', index)), resultOf(nameOf('variance', index)));
        for (const [index, { name }] of parameters.entries()) {
          const sum = sums[index]!;
          const found = resultOf(gradientName(name));
          for (let i = 0; i < sum.length; i++) sum[i]! += found[i]! / PARTS;
        }
      }
      return sums;
    },
    dispose: () => session.release(),
  };
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
 * Trains a network on crops by Adam, with a warm-up and a learning rate that then falls along a half cosine. Good places
 * that it takes for defects are searched twice and shown more often. The result averages about the last hundred steps.
 * @param samples where hard negatives are searched
 * @throws VisionError `cancelled`
 */
export async function trainNetwork(
  samples: readonly TrainingSample[],
  crops: readonly TrainingCrop[],
  { input, collection, labels, share, report }: NetworkTraining,
): Promise<DetectorNetwork> {
  const { params, random, signal, threads = 1 } = input;
  const { layout, scale, extractor } = collection;
  const steps = Math.ceil(share * getNumber(params, 'training_steps'));
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
  const adamStep = openAdam(
    parameters.map(({ values }) => values),
    parameters.map(({ decays }) => (decays ? WEIGHT_DECAY : 0)),
  );
  const searches = SEARCHES.map((part) => Math.round(part * steps));
  const gradients = await openGradients(network, side, imageThreads(input));
  const drawTensors = () =>
    drawBatch({ classes, good, hard }, random).map((part) => batchTensors(part, { labels, channels, side, random }));
  try {
    let next = drawTensors();
    for (let step = 0; step < steps; step++) {
      throwIfCancelled(signal);
      if (searches.includes(step)) hard = await searchHardCrops();
      const running = gradients.run(next);
      // Meanwhile.
      next = drawTensors();
      const found = await running;
      if (step % COLLECTED_STEPS === 0) collectGarbage({ type: 'minor' });
      const warmUp = Math.min(1, (step + 1) / WARM_UP_STEPS);
      const rate = LEARNING_RATE * warmUp * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
      adamStep(found, rate);
      updateAverage(averaged, network, Math.max(AVERAGE_SHARE, FIRST_STEPS / (step + FIRST_STEPS + 1)));
      report(step + 1, steps);
    }
  } finally {
    await gradients.dispose();
  }
  return trained(collection.views.slice(0, PREDICTED_VIEWS));
}
