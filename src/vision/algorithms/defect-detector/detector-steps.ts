import { Tensor } from 'onnxruntime-node';
import { openSession } from '../../onnx/open-session.ts';
import { signalName } from '../supervised/conv-network.ts';
import { gradientPart, meanName, slopeName, trainingForwardPart, varianceName } from '../supervised/conv-training.ts';
import { noteBatch, parametersOf, type TrainableNetwork } from '../supervised/trainable-network.ts';
import { LOSS_INPUTS, lossSlopePart } from './detection-loss.ts';
import { STRIDE } from './detector-shapes.ts';
import { BATCH } from './training-batch.ts';

const FOUR = ['examples', 'channels', 'rows', 'columns'];

/** Opens the graph from a batch of `side` pixels to the slopes of the loss, for the network's weights as they are at each call. */
export async function openSteps(network: TrainableNetwork, side: number, threads: number) {
  const { shapes, layers } = network;
  const classes = (shapes.at(-1)?.outputs ?? 0) - 4;
  const cells = side / STRIDE;
  const last = signalName(shapes.length);
  const parameters = parametersOf(network);
  const dims: Record<string, readonly number[]> = {
    [signalName(0)]: [BATCH, 3, side, side],
    [LOSS_INPUTS.classes]: [BATCH, classes, cells, cells],
    [LOSS_INPUTS.importance]: [BATCH, 1, cells, cells],
    [LOSS_INPUTS.lengths]: [BATCH, 4, cells, cells],
    [LOSS_INPUTS.lengthImportance]: [BATCH, 1, cells, cells],
    ...Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.dims])),
  };
  const loss = lossSlopePart(last, slopeName(last), classes);
  const [forward, backward] = [trainingForwardPart(shapes), gradientPart(shapes, BATCH, side)];
  const normalised = [...layers.keys()].slice(0, -1);
  const outputs = [
    ...parameters.map(({ name }) => slopeName(name)),
    ...normalised.flatMap((layer) => [meanName(layer), varianceName(layer)]),
  ];
  const session = await openSession(
    {
      inputs: Object.entries(dims).map(([name, sizes]) => ({ name, dims: sizes })),
      outputs: outputs.map((name) => ({ name, dims: FOUR })),
      nodes: [...forward.nodes, ...loss.nodes, ...backward.nodes],
      constants: [...forward.constants, ...loss.constants, ...backward.constants],
    },
    threads,
  );
  return {
    /** Slopes of all that is learned in the order of `parametersOf`; the layers take note of the batch. */
    async slopes(batch: Readonly<Record<string, Float32Array>>): Promise<Float32Array[]> {
      const values = parameters.map((parameter) => [parameter.name, parameter.values] as const);
      const feeds = [...Object.entries(batch), ...values].map(
        ([name, data]) => [name, new Tensor('float32', data, dims[name])] as const,
      );
      const results = await session.run(Object.fromEntries(feeds));
      const found = (name: string) => results[name]?.data as Float32Array;
      for (const layer of normalised) noteBatch(layers[layer]!, found(meanName(layer)), found(varianceName(layer)));
      return parameters.map(({ name }) => found(slopeName(name)));
    },
    dispose: () => session.release(),
  };
}
