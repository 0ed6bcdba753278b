import { Tensor } from 'onnxruntime-node';
import { type InputLayout, layoutTiles } from '../../backbone/input-layout.ts';
import { type PatchFeatures, stitchTiles, type TileFeatures } from '../../backbone/patch-extractor.ts';
import { cropImage, imagePlanes, turnImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { GraphBuilder } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { RgbImage } from '../../types.ts';
import { addNetwork, type ConvNetwork, type ConvShape } from './conv-network.ts';
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

function inferenceGraph(network: ConvNetwork): Uint8Array {
  const outputs = network.biases.at(-1)?.length ?? 0;
  const overClasses = { axis: 1 };
  const graph = new GraphBuilder();
  const last = addNetwork(graph, network, graph.input('image', [1, 3, 'height', 'width']));
  const [logits, sides] = graph.addSplit('Split', [last, graph.integers(outputs - 4, 4)], 2, overClasses);
  const planes = graph.add('Concat', [graph.add('Softmax', [logits], overClasses), sides], overClasses);
  const channelsLast = graph.add('Transpose', [planes], { perm: [0, 2, 3, 1] });
  graph.output('cells', graph.add('Reshape', [channelsLast, graph.integers(-1, outputs)]));
  return graph.encode();
}

/** Opens a trained network. Large canvases go through it tile by tile. */
export async function openCellPredictor(detector: DetectorNetwork, threads = 1): Promise<CellPredictor> {
  const { network, colours, layout, views } = detector;
  const session = await openSession(inferenceGraph(network), threads);
  async function runView(tile: RgbImage, view: View) {
    const turned = view.turn === 0 && !view.mirrored ? tile : turnImage(tile, view.turn, view.mirrored);
    const image = new Tensor('float32', colourPlanes(turned, colours), [1, 3, turned.height, turned.width]);
    const { cells } = await session.run({ image });
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
