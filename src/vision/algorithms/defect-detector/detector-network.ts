import { Tensor } from 'onnxruntime-node';
import { type InputLayout, layoutTiles } from '../../backbone/input-layout.ts';
import { type PatchFeatures, stitchTiles, type TileFeatures } from '../../backbone/patch-extractor.ts';
import { cropImage } from '../../image/crop-image.ts';
import { imagePlanes } from '../../image/image-planes.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { turnImage } from '../../image/turn-image.ts';
import type { OnnxGraph } from '../../onnx/onnx-model.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { RgbImage } from '../../types.ts';
import {
  activationName,
  biasName,
  type ConvNetwork,
  type ConvShape,
  inferenceNodes,
  weightDims,
  weightName,
} from './conv-network.ts';
import { mergeViews, type View } from './merge-views.ts';

/** Pixels of the canvas between two cells of the output. */
export const STRIDE = 8;
/** Pixels that count as 1 in the distances to a defect's sides. */
export const SIDE_UNIT = 16;
const WIDTH = 16;

/** The layers from pixels to cells. Each cell sees about 90 pixels around it. */
export function detectorShapes(outputs: number): ConvShape[] {
  const conv = (inputs: number, channels: number, kernel: number, stride: 1 | 2): ConvShape => ({
    inputs,
    outputs: channels,
    kernel,
    stride,
    dilation: 1,
    residual: false,
  });
  const residual = (channels: number, dilation: number): ConvShape => ({
    inputs: channels,
    outputs: channels,
    kernel: 3,
    stride: 1,
    dilation,
    residual: true,
  });
  return [
    conv(3, WIDTH, 5, 2),
    conv(WIDTH, 2 * WIDTH, 3, 2),
    residual(2 * WIDTH, 1),
    conv(2 * WIDTH, 4 * WIDTH, 3, 2),
    residual(4 * WIDTH, 1),
    residual(4 * WIDTH, 2),
    residual(4 * WIDTH, 1),
    conv(4 * WIDTH, outputs, 1, 1),
  ];
}

/** Colours come to the network as (value / 255 − mean) / spread. */
export interface ColourScale {
  readonly mean: readonly [number, number, number];
  readonly spread: number;
}

export const colourPlanes = (image: RgbImage, { mean, spread }: ColourScale): Float32Array =>
  imagePlanes(image, { mean, std: [spread, spread, spread] });

/** A trained network and how images come to it. */
export interface DetectorNetwork {
  readonly network: ConvNetwork;
  readonly colours: ColourScale;
  readonly layout: InputLayout;
  /** Views of an image that are averaged (test-time augmentation). */
  readonly views: readonly View[];
}

export interface CellPredictor {
  /** For each cell the probabilities of good and of each class, then the distances to the four sides. [cells, classes + 4] */
  predict(image: RgbImage): Promise<PatchFeatures>;
  dispose(): Promise<void>;
}

function inferenceGraph({ shapes, weights, biases }: ConvNetwork): OnnxGraph {
  const outputs = biases.at(-1)?.length ?? 0;
  const overClasses = { axis: 1 };
  return {
    inputs: [{ name: activationName(0), dims: [1, 3, 'height', 'width'] }],
    outputs: [{ name: 'cells', dims: ['cells', outputs] }],
    constants: [
      ...shapes.flatMap((shape, layer) => [
        { name: weightName(layer), dims: weightDims(shape), data: weights[layer]! },
        { name: biasName(layer), dims: [shape.outputs], data: biases[layer]! },
      ]),
      { name: 'parts', dims: [2], data: BigInt64Array.of(BigInt(outputs - 4), 4n) },
      { name: 'flat', dims: [2], data: BigInt64Array.of(-1n, BigInt(outputs)) },
    ],
    nodes: [
      ...inferenceNodes(shapes),
      {
        op: 'Split',
        inputs: [activationName(shapes.length), 'parts'],
        outputs: ['logits', 'sides'],
        attributes: overClasses,
      },
      { op: 'Softmax', inputs: ['logits'], outputs: ['probabilities'], attributes: overClasses },
      { op: 'Concat', inputs: ['probabilities', 'sides'], outputs: ['planes'], attributes: overClasses },
      { op: 'Transpose', inputs: ['planes'], outputs: ['channels_last'], attributes: { perm: [0, 2, 3, 1] } },
      { op: 'Reshape', inputs: ['channels_last', 'flat'], outputs: ['cells'] },
    ],
  };
}

/** Opens a trained network. Large canvases go through it tile by tile. */
export async function openCellPredictor(detector: DetectorNetwork, threads = 1): Promise<CellPredictor> {
  const { network, colours, layout, views } = detector;
  const session = await openSession(inferenceGraph(network), threads);
  async function runView(image: RgbImage, view: View) {
    const turned = view.turn === 0 && !view.mirrored ? image : turnImage(image, view.turn, view.mirrored);
    const planes = new Tensor('float32', colourPlanes(turned, colours), [1, 3, turned.height, turned.width]);
    const { cells } = await session.run({ [activationName(0)]: planes });
    const [rows = 0, columns = 0] = cells?.dims ?? [];
    return { view, cells: { rows, columns, data: cells?.data as Float32Array } };
  }
  return {
    async predict(image) {
      const canvas = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const tiles: TileFeatures[] = [];
      for (const tile of layoutTiles(layout)) {
        const part = cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight);
        const results: Awaited<ReturnType<typeof runView>>[] = [];
        for (const view of views) results.push(await runView(part, view));
        const rows = part.height / STRIDE;
        const columns = part.width / STRIDE;
        tiles.push({ rows, columns, patches: mergeViews(results, rows, columns), tile });
      }
      return stitchTiles(layout, tiles);
    },
    dispose: () => session.release(),
  };
}
