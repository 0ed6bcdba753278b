import { Tensor } from 'onnxruntime-node';
import { biasSlopeName, gradientPart, signalSlopeName, weightSlopeName } from '../../components/conv-gradients.ts';
import {
  biasName,
  type ConvNetwork,
  forwardPart,
  signalName,
  weightDims,
  weightName,
} from '../../components/conv-network.ts';
import { openSession } from '../../onnx/open-session.ts';
import { LOSS_INPUTS, lossSlopePart } from './detection-loss.ts';
import { STRIDE } from './detector-shapes.ts';
import { BATCH } from './training-batch.ts';

/** Opens the graph from a batch of `side` pixels to the slopes of the loss, for the network's weights as they are at each call. */
export async function openSteps(network: ConvNetwork, side: number, threads: number) {
  const { shapes, weights, biases } = network;
  const outputs = shapes.at(-1)?.outputs ?? 0;
  const [classes, cells] = [outputs - 4, side / STRIDE];
  const last = shapes.length;
  const loss = lossSlopePart(signalName(last), signalSlopeName(last), classes);
  const [forward, backward] = [forwardPart(shapes), gradientPart(shapes)];
  const targetDims = {
    [LOSS_INPUTS.classes]: [BATCH, classes, cells, cells],
    [LOSS_INPUTS.importance]: [BATCH, 1, cells, cells],
    [LOSS_INPUTS.lengths]: [BATCH, 4, cells, cells],
    [LOSS_INPUTS.lengthImportance]: [BATCH, 1, cells, cells],
  };
  const dims: Record<string, number[]> = { [signalName(0)]: [BATCH, 3, side, side], ...targetDims };
  shapes.forEach((shape, layer) => {
    dims[weightName(layer)] = weightDims(shape);
    dims[biasName(layer)] = [shape.outputs];
  });
  const slopes = [...shapes.keys()].flatMap((layer) => [weightSlopeName(layer), biasSlopeName(layer)]);
  const session = await openSession(
    {
      inputs: Object.entries(dims).map(([name, sizes]) => ({ name, dims: sizes })),
      outputs: slopes.map((name, index) => ({ name, dims: index % 2 === 0 ? ['o', 'i', 'k', 'l'] : ['o'] })),
      nodes: [...forward.nodes, ...loss.nodes, ...backward.nodes],
      constants: [...forward.constants, ...loss.constants, ...backward.constants],
    },
    threads,
  );
  const parameters = shapes.flatMap((_, layer) => [
    [weightName(layer), weights[layer] ?? new Float32Array()] as const,
    [biasName(layer), biases[layer] ?? new Float32Array()] as const,
  ]);
  return {
    /** Slopes of all weights and biases in their order. */
    async slopes(batch: Readonly<Record<string, Float32Array>>): Promise<Float32Array[]> {
      const feeds = [...Object.entries(batch), ...parameters].map(
        ([name, data]) => [name, new Tensor('float32', data, dims[name])] as const,
      );
      const results = await session.run(Object.fromEntries(feeds));
      return slopes.map((name) => results[name]?.data as Float32Array);
    },
    dispose: () => session.release(),
  };
}
