import { createHash } from 'node:crypto';
import { decodeDefectClassifier, encodeDefectClassifier } from '../../src/vision/algorithms/defect-classifier/model.ts';
import { decodeDefectDetector, encodeDefectDetector } from '../../src/vision/algorithms/defect-detector/model.ts';
import { decodePadim, encodePadim } from '../../src/vision/algorithms/padim/model.ts';
import { decodePatchcore, encodePatchcore } from '../../src/vision/algorithms/patchcore/model.ts';
import { decodeSubspace, encodeSubspace } from '../../src/vision/algorithms/subspace/model.ts';
import { openBackbone } from '../../src/vision/backbone/open-backbone.ts';
import { noCorrections } from '../../src/vision/corrections/correction-patches.ts';
import type { Matrix } from '../../src/vision/math/matrix.ts';
import { decodeModel, encodeModel } from '../../src/vision/model-file/model-file.ts';
import { GraphBuilder } from '../../src/vision/onnx/graph-builder.ts';
import type { BackboneFile } from '../../src/vision/types.ts';
import { tinyBackbone } from '../vision/tiny-backbone.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { mutate } from './mutate.ts';

const model = encodeModel({
  algorithmId: 'patchcore',
  algorithmVersion: '1',
  params: { image_size: 128 },
  backbone: { id: 'kensa', sha256: '0'.repeat(64) },
  preprocessing: { steps: [], references: { one: Uint8Array.from([1, 2, 3]) } },
  calibration: { rawThreshold: 1, goodScores: [0.5, 0.7], defectScores: [2] },
  payload: Uint8Array.from([5, 6, 7]),
} as Parameters<typeof encodeModel>[0]);

const layout = { canvasWidth: 128, canvasHeight: 128, tileWidth: 128, tileHeight: 128 };
const matrix = (rows: number, columns: number): Matrix => ({ rows, columns, data: new Float32Array(rows * columns) });
const network = (inputs: number, outputs: number) => ({
  first: matrix(inputs, 2),
  firstBias: new Float32Array(2),
  second: matrix(2, outputs),
  secondBias: new Float32Array(outputs),
});

const shape = { inputs: 3, outputs: 6, kernel: 1, stride: 1, dilation: 1, residual: false } as const;
const detector = {
  level: 'level',
  layers: [{ shape, weight: new Float32Array(18), bias: new Float32Array(6) }],
  colours: { mean: [0.5, 0.5, 0.5] as [number, number, number], spread: 0.2 },
  views: [{ turn: 0 as const, mirrored: false }],
  layout,
};

const states = {
  'memory bank': [
    encodePatchcore({
      layout,
      projection: matrix(2, 2),
      bank: matrix(3, 2),
      neighbours: 1,
      smoothing: 1,
      corrections: noCorrections(2),
    }),
    decodePatchcore,
  ],
  'refined memory bank': [
    encodePatchcore({
      layout,
      projection: matrix(2, 2),
      bank: matrix(3, 2),
      neighbours: 1,
      smoothing: 1,
      corrections: {
        ...{
          good: matrix(2, 2),
          missed: matrix(1, 2),
          missedWeights: Float32Array.of(1),
          missedLabels: [7],
          ceiling: 1,
        },
        suppressed: matrix(1, 2),
        suppressedWeights: Float32Array.of(1),
      },
    }),
    decodePatchcore,
  ],
  Gaussians: [
    encodePadim({
      layout,
      channels: Uint32Array.of(0, 3),
      allChannels: 4,
      smoothing: 1,
      grid: { rows: 1, columns: 2, dims: 2, means: new Float32Array(4), whitening: new Float32Array(6) },
      corrections: noCorrections(2),
    }),
    decodePadim,
  ],
  subspace: [
    encodeSubspace({
      layout,
      smoothing: 1,
      mean: new Float32Array(3),
      axes: matrix(3, 2),
      corrections: noCorrections(3),
    }),
    decodeSubspace,
  ],
  'defect classes': [
    encodeDefectClassifier({
      layout,
      projection: matrix(3, 2),
      bank: matrix(2, 2),
      network: network(2, 3),
      labels: [1, null],
      weight: 0.5,
      smoothing: 1,
      corrections: noCorrections(2),
    }),
    decodeDefectClassifier,
  ],
  'defect places': [
    encodeDefectDetector({
      layout,
      projection: matrix(3, 2),
      bank: matrix(2, 2),
      detector,
      labels: [1],
      limits: { probability: 0.5, distance: 1 },
      smoothing: 1,
      corrections: noCorrections(2),
    }),
    decodeDefectDetector,
  ],
} satisfies Record<string, readonly [Uint8Array, (bytes: Uint8Array) => unknown]>;

/** As a stranger would make it: defects behind a checksum that is right. */
function resealed(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 48) return bytes;
  bytes.set(createHash('sha256').update(bytes.subarray(48)).digest(), 16);
  return bytes;
}

/** One layer and a few weights: what a file may say is in its structure, and a small one is opened in half a millisecond. */
function smallestBackbone(): BackboneFile {
  const graph = new GraphBuilder();
  const weights = graph.constant(new Float32Array(24).fill(0.1), [2, 3, 2, 2]);
  const layer = [graph.input('image', [1, 3, 'height', 'width']), weights];
  const linear = graph.add('Conv', layer, { kernel_shape: [2, 2], strides: [2, 2] });
  graph.output('half', graph.add('Relu', [linear]));
  const description = { ...tinyBackbone().description, outputs: ['half'] };
  return { id: 'smallest', onnx: graph.encode(), description };
}

const networkTarget = (name: string, file: BackboneFile, slowness: number): FuzzTarget => ({
  name,
  slowness,
  feed: async (random) => (await openBackbone({ ...file, onnx: mutate(file.onnx, random) })).dispose(),
});

export const modelTargets: readonly FuzzTarget[] = [
  { name: 'model file', slowness: 1, feed: (random) => decodeModel(mutate(model, random)) },
  { name: 'model file, sealed again', slowness: 1, feed: (random) => decodeModel(resealed(mutate(model, random))) },
  ...Object.entries(states).map(
    ([name, [bytes, decode]]): FuzzTarget => ({
      name: `${name}, sealed again`,
      slowness: 2,
      feed: (random) => decode(resealed(mutate(bytes, random))),
    }),
  ),
  networkTarget('ONNX network', smallestBackbone(), 20),
];
