import { Tensor } from 'onnxruntime-node';
import Type, { type Static } from 'typebox';
import { type InputLayout, layoutTiles } from '../../backbone/input-layout.ts';
import { type PatchFeatures, stitchTiles, type TileFeatures } from '../../backbone/patch-extractor.ts';
import { cropImage, imagePlanes } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import type { Matrix } from '../../math/matrix.ts';
import { GraphBuilder, type GraphValue } from '../../onnx/graph-builder.ts';
import { openSession } from '../../onnx/open-session.ts';
import type { RgbImage } from '../../types.ts';
import { mergeViews, type View, viewImage } from './views.ts';

const upTo = (most: number) => Type.Integer({ minimum: 1, maximum: most });

/** One convolution with bias. A ReLU follows all layers but the last. */
export const CONV_SHAPE = Type.Object({
  inputs: upTo(4096),
  outputs: upTo(4096),
  /** Side of the kernel: an odd number. */
  kernel: upTo(15),
  stride: Type.Union([Type.Literal(1), Type.Literal(2)]),
  dilation: upTo(16),
  /** The layer's input is added to its output (He et al. 2016). */
  residual: Type.Boolean(),
});
export type ConvShape = Static<typeof CONV_SHAPE>;

export interface ConvLayer {
  readonly shape: ConvShape;
  /** [outputs, inputs, kernel, kernel] */
  readonly weight: Float32Array;
  /** [outputs] */
  readonly bias: Float32Array;
}

/** Pixels of the canvas between two cells of the output. */
export const STRIDE = 8;
/** Pixels that count as 1 in the distances to a defect's sides. */
export const SIDE_UNIT = 16;
const WIDTH = 16;

function convolution(inputs: number, outputs: number, kernel: number, stride: 1 | 2): ConvShape {
  return { inputs, outputs, kernel, stride, dilation: 1, residual: false };
}

function residualBlock(channels: number, dilation: number): ConvShape {
  return { inputs: channels, outputs: channels, kernel: 3, stride: 1, dilation, residual: true };
}

/** The layers from pixels to cells. Each cell sees about 90 pixels around it. */
export function detectorShapes(outputs: number): ConvShape[] {
  return [
    convolution(3, WIDTH, 5, 2),
    convolution(WIDTH, 2 * WIDTH, 3, 2),
    residualBlock(2 * WIDTH, 1),
    convolution(2 * WIDTH, 4 * WIDTH, 3, 2),
    residualBlock(4 * WIDTH, 1),
    residualBlock(4 * WIDTH, 2),
    residualBlock(4 * WIDTH, 1),
    convolution(4 * WIDTH, outputs, 1, 1),
  ];
}

export const weightDims = ({ inputs, outputs, kernel }: ConvShape): number[] => [outputs, inputs, kernel, kernel];

/** Attributes of `Conv` that keep the size, apart from the stride. */
export function convAttributes({ kernel, stride, dilation }: ConvShape) {
  const pad = (dilation * (kernel - 1)) / 2;
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    dilations: [dilation, dilation],
    pads: [pad, pad, pad, pad],
  };
}

/** Adds the network to a graph, for inference. @returns its last activation */
export function addNetwork(graph: GraphBuilder, layers: readonly ConvLayer[], image: GraphValue): GraphValue {
  let activation = image;
  for (const [index, { shape, weight, bias }] of layers.entries()) {
    const inputs = [activation, graph.constant(weight, weightDims(shape)), graph.constant(bias)];
    const linear = graph.add('Conv', inputs, convAttributes(shape));
    const sum = shape.residual ? graph.add('Add', [activation, linear]) : linear;
    activation = index === layers.length - 1 ? sum : graph.add('Relu', [sum]);
  }
  return activation;
}

/** Colours come to the network as (value / 255 − mean) / spread. */
export const COLOUR_SCALE = Type.Object({
  mean: Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
  spread: Type.Number({ exclusiveMinimum: 0 }),
});
export type ColourScale = Static<typeof COLOUR_SCALE>;

export const colourPlanes = (image: RgbImage, { mean, spread }: ColourScale): Float32Array =>
  imagePlanes(image, { mean, std: [spread, spread, spread] });

/** A trained network and how images come to it. */
export interface DetectorNetwork {
  readonly layers: readonly ConvLayer[];
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

function inferenceGraph(layers: readonly ConvLayer[]): Uint8Array {
  const outputs = layers.at(-1)?.shape.outputs ?? 0;
  const overClasses = { axis: 1 };
  const graph = new GraphBuilder();
  const last = addNetwork(graph, layers, graph.input('image', [1, 3, 'height', 'width']));
  const [logits, sides] = graph.addSplit('Split', [last, graph.integers(outputs - 4, 4)], 2, overClasses);
  const planes = graph.add('Concat', [graph.add('Softmax', [logits], overClasses), sides], overClasses);
  const channelsLast = graph.add('Transpose', [planes], { perm: [0, 2, 3, 1] });
  graph.output('cells', graph.add('Reshape', [channelsLast, graph.integers(-1, outputs)]));
  return graph.encode();
}

/** Opens a trained network. Large canvases go through it tile by tile. */
export async function openCellPredictor(detector: DetectorNetwork, threads = 1): Promise<CellPredictor> {
  const { layers, colours, layout, views } = detector;
  const session = await openSession(inferenceGraph(layers), threads);
  async function run(image: RgbImage): Promise<Matrix> {
    const feeds = { image: new Tensor('float32', colourPlanes(image, colours), [1, 3, image.height, image.width]) };
    const { cells } = await session.run(feeds);
    const [rows = 0, columns = 0] = cells?.dims ?? [];
    return { rows, columns, data: cells?.data as Float32Array };
  }
  return {
    async predict(image) {
      const canvas = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const tiles: TileFeatures[] = [];
      for (const tile of layoutTiles(layout)) {
        const part = cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight);
        const results: { view: View; cells: Matrix }[] = [];
        for (const view of views) results.push({ view, cells: await run(viewImage(part, view)) });
        const rows = part.height / STRIDE;
        const columns = part.width / STRIDE;
        tiles.push({ rows, columns, patches: mergeViews(results, rows, columns), tile });
      }
      return stitchTiles(layout, tiles);
    },
    dispose: () => session.release(),
  };
}
