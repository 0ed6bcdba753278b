import { Tensor } from 'onnxruntime-node';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { GraphBuilder, type GraphValue } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import { type FitInput, getFlag, getNumber } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { openAdam } from '../supervised/adam.ts';
import { collectHardCrops } from './collect-crops.ts';
import type { ConvShape } from './conv-network.ts';
import { addGradients, addTrainingLayers, gradientName, meanName, varianceName } from './conv-training.ts';
import { type DetectorNetwork, detectorShapes, openCellPredictor } from './detector-network.ts';
import { addLossGradient, type LossTargets } from './loss.ts';
import { viewsOf } from './merge-views.ts';
import {
  drawNetwork,
  foldNetwork,
  noteBatch,
  parametersOf,
  type TrainableNetwork,
  updateAverage,
} from './trainable-network.ts';
import { BATCH, batchDims, batchTensors, drawBatch, measureColours } from './training-batch.ts';
import { cropSides, type TrainingCrop } from './training-crops.ts';

const LEARNING_RATE = 0.003;
const WARM_UP_STEPS = 30;
const WEIGHT_DECAY = 0.01;
/** The averaged network moves towards the trained one by this share a step, faster in the first steps. */
const AVERAGE_SHARE = 0.01;
const FIRST_STEPS = 9;
/** Parts of the steps at which hard negatives are searched. */
const SEARCHES = [1 / 4, 1 / 2];

/** From a batch to the gradients of the loss by the network's weights, scales and biases, which are inputs as well. */
function gradientGraph(shapes: readonly ConvShape[], viewSide: number): Uint8Array {
  const classes = (shapes.at(-1)?.outputs ?? 0) - 4;
  const { image, ...targetDims } = batchDims(classes, viewSide);
  const graph = new GraphBuilder();
  const layers = addTrainingLayers(graph, shapes, graph.input('image', image));
  const targets: LossTargets<GraphValue> = {
    classes: graph.input('classes', targetDims.classes),
    classWeights: graph.input('classWeights', targetDims.classWeights),
    sides: graph.input('sides', targetDims.sides),
    sideWeights: graph.input('sideWeights', targetDims.sideWeights),
  };
  const gradient = addLossGradient(graph, layers.at(-1)!.output, classes, targets);
  addGradients(graph, layers, gradient, BATCH, viewSide);
  return graph.encode();
}

/** Opens the gradients by the network's weights as they are at each call. */
async function openGradients(network: TrainableNetwork, viewSide: number, threads: number) {
  const { shapes, layers } = network;
  const parameters = parametersOf(network);
  const session = await openSession(gradientGraph(shapes, viewSide), threads);
  return {
    /** Gradients in the order of `parametersOf`. Updates the running means and variances of the layers. */
    async run(batch: ReturnType<typeof batchTensors>): Promise<Float32Array[]> {
      const feeds: Record<string, Tensor> = { ...batch };
      for (const { name, values, dims } of parameters) feeds[name] = new Tensor('float32', values, dims);
      const results = await session.run(feeds);
      const resultOf = (name: string) => results[name]?.data as Float32Array;
      for (const [index, layer] of layers.entries())
        if (layer.scale) noteBatch(layer, resultOf(meanName(index)), resultOf(varianceName(index)));
      return parameters.map(({ name }) => resultOf(gradientName(name)));
    },
    dispose: () => session.release(),
  };
}

export interface NetworkTraining {
  readonly input: FitInput;
  readonly layout: InputLayout;
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
  { input, layout, labels, share, report }: NetworkTraining,
): Promise<DetectorNetwork> {
  const { params, random, signal, threads = 1 } = input;
  const augmentation = { rotations: getFlag(params, 'rotations'), flips: getFlag(params, 'flips') };
  const steps = Math.ceil(share * getNumber(params, 'training_steps'));
  const viewSide = cropSides(layout).view;
  const network = drawNetwork(detectorShapes(labels.length + 5), random);
  const averaged = structuredClone(network);
  const colours = measureColours(crops);
  const classes = labels
    .map((label) => crops.filter((crop) => crop.label === label))
    .filter(({ length }) => length > 0);
  const good = crops.filter(({ label }) => label === undefined);
  let hard: readonly TrainingCrop[] = [];

  async function searchHardCrops(): Promise<TrainingCrop[]> {
    const views = viewsOf({ rotations: false, flips: false });
    const predictor = await openCellPredictor({ network: foldNetwork(averaged), colours, layout, views }, threads);
    try {
      return await collectHardCrops(samples, predictor, { layout, random, signal });
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
  const gradients = await openGradients(network, viewSide, threads);
  try {
    for (let step = 0; step < steps; step++) {
      throwIfCancelled(signal);
      if (searches.includes(step)) hard = await searchHardCrops();
      const batch = drawBatch({ classes, good, hard }, random);
      const tensors = batchTensors(batch, { ...augmentation, labels, colours, viewSide, random });
      const warmUp = Math.min(1, (step + 1) / WARM_UP_STEPS);
      const rate = LEARNING_RATE * warmUp * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
      adamStep(await gradients.run(tensors), rate);
      updateAverage(averaged, network, Math.max(AVERAGE_SHARE, FIRST_STEPS / (step + FIRST_STEPS + 1)));
      report(step + 1, steps);
    }
  } finally {
    await gradients.dispose();
  }
  return { network: foldNetwork(averaged), colours, layout, views: viewsOf(augmentation) };
}
