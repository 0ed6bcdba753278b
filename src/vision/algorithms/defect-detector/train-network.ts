import { Tensor } from 'onnxruntime-node';
import type { InputLayout } from '../../backbone/input-layout.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { FitInput } from '../../training/fit-input.ts';
import type { TrainingSample } from '../../types.ts';
import { throwIfCancelled } from '../../vision-error.ts';
import { getFlag, getNumber } from '../contract/parameter-values.ts';
import { openAdam } from '../supervised/adam.ts';
import { collectHardCrops } from './collect-crops.ts';
import { activationName } from './conv-network.ts';
import { gradientName, gradientPart, meanName, trainingPart, varianceName } from './conv-training.ts';
import { type DetectorNetwork, detectorShapes, openCellPredictor, STRIDE } from './detector-network.ts';
import { LOSS_INPUTS, lossGradientPart } from './loss.ts';
import { viewsOf } from './merge-views.ts';
import {
  drawNetwork,
  foldNetwork,
  noteBatch,
  parametersOf,
  type TrainableNetwork,
  updateAverage,
} from './trainable-network.ts';
import { BATCH, batchTensors, drawBatch, measureColours } from './training-batch.ts';
import { cropSides, type TrainingCrop } from './training-crops.ts';

const LEARNING_RATE = 0.003;
const WARM_UP_STEPS = 30;
const WEIGHT_DECAY = 0.01;
/** The averaged network moves towards the trained one by this share a step, faster in the first steps. */
const AVERAGE_SHARE = 0.01;
const FIRST_STEPS = 9;
/** Parts of the steps at which hard negatives are searched. */
const SEARCHES = [1 / 4, 1 / 2];

/** Opens a graph from a batch to the gradients of the loss, by the network's weights as they are at each call. */
async function openGradients(network: TrainableNetwork, viewSide: number, threads: number) {
  const { shapes, layers } = network;
  const classes = (shapes.at(-1)?.outputs ?? 0) - 4;
  const cells = viewSide / STRIDE;
  const last = activationName(shapes.length);
  const parameters = parametersOf(network);
  const dims: Record<string, readonly number[]> = {
    [activationName(0)]: [BATCH, 3, viewSide, viewSide],
    [LOSS_INPUTS.classes]: [BATCH, classes, cells, cells],
    [LOSS_INPUTS.classWeights]: [BATCH, 1, cells, cells],
    [LOSS_INPUTS.sides]: [BATCH, 4, cells, cells],
    [LOSS_INPUTS.sideWeights]: [BATCH, 1, cells, cells],
    ...Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.dims])),
  };
  const normalised = [...layers.keys()].slice(0, -1);
  const outputs = [
    ...parameters.map(({ name }) => gradientName(name)),
    ...normalised.flatMap((layer) => [meanName(layer), varianceName(layer)]),
  ];
  const parts = [
    trainingPart(shapes),
    lossGradientPart(last, gradientName(last), classes),
    gradientPart(shapes, BATCH, viewSide),
  ];
  const session = await openSession(
    {
      inputs: Object.entries(dims).map(([name, sizes]) => ({ name, dims: sizes })),
      outputs: outputs.map((name) => ({ name, dims: ['examples', 'channels', 'rows', 'columns'] })),
      nodes: parts.flatMap(({ nodes }) => nodes),
      constants: parts.flatMap(({ constants }) => constants),
    },
    threads,
  );
  return {
    /** Gradients in the order of `parametersOf`. Updates the running means and variances of the layers. */
    async run(batch: Readonly<Record<string, Float32Array>>): Promise<Float32Array[]> {
      const feeds: Record<string, Tensor> = {};
      for (const [name, data] of Object.entries(batch)) feeds[name] = new Tensor('float32', data, dims[name]);
      for (const { name, values, dims: sizes } of parameters) feeds[name] = new Tensor('float32', values, sizes);
      const results = await session.run(feeds);
      const resultOf = (name: string) => results[name]?.data as Float32Array;
      for (const layer of normalised)
        noteBatch(layers[layer]!, resultOf(meanName(layer)), resultOf(varianceName(layer)));
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
