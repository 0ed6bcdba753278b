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
  biasName,
  type ConvNetwork,
  forwardPart,
  signalName,
  weightDims,
  weightName,
} from '../supervised/conv-network.ts';
import { STRIDE } from './detector-shapes.ts';
import { mergeViews, type View } from './merge-views.ts';

/** How colours come to the network: value / 255 minus `mean`, divided by `spread`. */
export interface ColourScale {
  readonly mean: readonly [number, number, number];
  readonly spread: number;
}

/** A trained network and what goes into it. */
export interface DetectorNetwork {
  readonly network: ConvNetwork;
  readonly colours: ColourScale;
  readonly layout: InputLayout;
  /** Views of an image that are judged together. */
  readonly views: readonly View[];
}

export interface CellFinder {
  /** Of every cell the probability of good and of each class, then the ways to the four sides. [cells, classes + 4] */
  find(image: RgbImage): Promise<PatchFeatures>;
  dispose(): Promise<void>;
}

export const colourPlanes = (image: RgbImage, { mean, spread }: ColourScale): Float32Array =>
  imagePlanes(image, { mean, std: [spread, spread, spread] });

function finderGraph({ shapes, weights, biases }: ConvNetwork): OnnxGraph {
  const outputs = biases.at(-1)?.length ?? 0;
  const { nodes } = forwardPart(shapes);
  const overClasses = { axis: 1 };
  return {
    inputs: [{ name: signalName(0), dims: [1, 3, 'height', 'width'] }],
    outputs: [{ name: 'cells', dims: ['cells', outputs] }],
    constants: [
      ...shapes.flatMap((shape, layer) => [
        { name: weightName(layer), dims: weightDims(shape), data: weights[layer] ?? new Float32Array() },
        { name: biasName(layer), dims: [shape.outputs], data: biases[layer] ?? new Float32Array() },
      ]),
      { name: 'parts', dims: [2], data: BigInt64Array.of(BigInt(outputs - 4), 4n) },
      { name: 'flat', dims: [2], data: BigInt64Array.of(-1n, BigInt(outputs)) },
    ],
    nodes: [
      ...nodes,
      {
        op: 'Split',
        inputs: [signalName(shapes.length), 'parts'],
        outputs: ['logits', 'ways'],
        attributes: overClasses,
      },
      { op: 'Softmax', inputs: ['logits'], outputs: ['likely'], attributes: overClasses },
      { op: 'Concat', inputs: ['likely', 'ways'], outputs: ['planes'], attributes: overClasses },
      { op: 'Transpose', inputs: ['planes'], outputs: ['last'], attributes: { perm: [0, 2, 3, 1] } },
      { op: 'Reshape', inputs: ['last', 'flat'], outputs: ['cells'] },
    ],
  };
}

/** Opens a trained network; large canvases go through it tile by tile. */
export async function openCellFinder(detector: DetectorNetwork, threads = 1): Promise<CellFinder> {
  const { network, colours, layout, views } = detector;
  const session = await openSession(finderGraph(network), threads);
  async function show(part: RgbImage, view: View) {
    const turned = view.turn === 0 && !view.mirrored ? part : turnImage(part, view.turn, view.mirrored);
    const planes = new Tensor('float32', colourPlanes(turned, colours), [1, 3, turned.height, turned.width]);
    const { cells } = await session.run({ [signalName(0)]: planes });
    const [count = 0, width = 0] = cells?.dims ?? [];
    return { view, cells: { rows: count, columns: width, data: cells?.data as Float32Array } };
  }
  return {
    async find(image) {
      const canvas = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const parts: TileFeatures[] = [];
      for (const tile of layoutTiles(layout)) {
        const part = cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight);
        const shown: Awaited<ReturnType<typeof show>>[] = [];
        for (const view of views) shown.push(await show(part, view));
        const [rows, columns] = [part.height / STRIDE, part.width / STRIDE];
        parts.push({ rows, columns, patches: mergeViews(shown, rows, columns), tile });
      }
      return stitchTiles(layout, parts);
    },
    dispose: () => session.release(),
  };
}
