import type { Tensor } from 'onnxruntime-node';
import Type, { type Static } from 'typebox';
import { type InputLayout, layoutTiles } from '../../backbone/input-layout.ts';
import { openBackbone } from '../../backbone/open-backbone.ts';
import { type PatchFeatures, stitchTiles, type TileFeatures } from '../../backbone/patch-extractor.ts';
import { cropImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import type { Matrix } from '../../math/matrix.ts';
import { cutNetwork } from '../../onnx/cut-network.ts';
import { GraphBuilder, type GraphValue } from '../../onnx/graph-builder.ts';
import { openSession, type Threads } from '../../onnx/open-session.ts';
import type { FitInput } from '../../training/fit-input.ts';
import type { BackboneFile, RgbImage } from '../../types.ts';
import { mergeViews, type View, viewImage } from './views.ts';

const upTo = (most: number) => Type.Integer({ minimum: 1, maximum: most });

/** One convolution with bias. A ReLU follows all layers but the last. */
export const CONV_SHAPE = Type.Object({
  inputs: upTo(4096),
  outputs: upTo(4096),
  /** Side of the kernel: an odd number. */
  kernel: upTo(15),
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

/** Cells that count as 1 in the distances to a defect's sides. */
export const SIDE_UNIT = 2;
const WIDTH = 64;

function convolution(inputs: number, outputs: number, kernel: number): ConvShape {
  return { inputs, outputs, kernel, dilation: 1, residual: false };
}

function residualBlock(channels: number, dilation: number): ConvShape {
  return { inputs: channels, outputs: channels, kernel: 3, dilation, residual: true };
}

/** The layers from the backbone's level to cells. Each cell sees four more to each side. */
export function detectorShapes(inputs: number, outputs: number): ConvShape[] {
  return [
    convolution(inputs, WIDTH, 1),
    residualBlock(WIDTH, 1),
    residualBlock(WIDTH, 2),
    residualBlock(WIDTH, 1),
    convolution(WIDTH, outputs, 1),
  ];
}

export const weightDims = ({ inputs, outputs, kernel }: ConvShape): number[] => [outputs, inputs, kernel, kernel];

/** Attributes of `Conv` that keep the size. */
export function convAttributes({ kernel, dilation }: ConvShape) {
  const pad = (dilation * (kernel - 1)) / 2;
  return {
    kernel_shape: [kernel, kernel],
    dilations: [dilation, dilation],
    pads: [pad, pad, pad, pad],
  };
}

/** Adds the network to a graph, for inference. @returns its last activation */
export function addNetwork(graph: GraphBuilder, layers: readonly ConvLayer[], level: GraphValue): GraphValue {
  let activation = level;
  for (const [index, { shape, weight, bias }] of layers.entries()) {
    const inputs = [activation, graph.constant(weight, weightDims(shape)), graph.constant(bias)];
    const linear = graph.add('Conv', inputs, convAttributes(shape));
    const sum = shape.residual ? graph.add('Add', [activation, linear]) : linear;
    activation = index === layers.length - 1 ? sum : graph.add('Relu', [sum]);
  }
  return activation;
}

/** A trained network and how images come to it. */
export interface DetectorNetwork {
  /** Name of the backbone's tensor that they work on. */
  readonly level: string;
  readonly layers: readonly ConvLayer[];
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
  const last = addNetwork(graph, layers, graph.input('level', [1, layers[0]!.shape.inputs, 'rows', 'columns']));
  const [logits, sides] = graph.addSplit('Split', [last, graph.integers(outputs - 4, 4)], 2, overClasses);
  const planes = graph.add('Concat', [graph.add('Softmax', [logits], overClasses), sides], overClasses);
  const channelsLast = graph.add('Transpose', [planes], { perm: [0, 2, 3, 1] });
  graph.output('cells', graph.add('Reshape', [channelsLast, graph.integers(-1, outputs)]));
  return graph.encode();
}

/** Threads of the networks of a training: beside the main one where there are some, so that it draws the next batch. */
export const networkThreads = ({ threads = 1, sideBySide }: FitInput): Threads => sideBySide ?? threads;

/** A level of the backbone: what the detector's network sees of an image. */
export interface LevelExtractor {
  /** Name of the backbone's tensor. */
  readonly level: string;
  /** [1, channels, rows, columns] */
  extract(image: RgbImage): Promise<Tensor>;
  dispose(): Promise<void>;
}

/** The backbone's tensor that a new detector learns from. */
export const levelOf = ({ outputs, trunk }: BackboneFile['description']): string => trunk ?? outputs[0] ?? '';

/**
 * Opens the backbone up to one of its tensors, which takes half the time of the whole.
 * @throws VisionError `invalid_backbone`
 */
export async function openLevelExtractor(
  { id, onnx, description }: BackboneFile,
  level: string,
  threads?: Threads,
): Promise<LevelExtractor> {
  const cut = { id, onnx: cutNetwork(onnx, level), description: { ...description, outputs: [level] } };
  const backbone = await openBackbone(cut, threads);
  return {
    level,
    async extract(image) {
      const [features] = await backbone.extractLevels(image);
      return features!;
    },
    dispose: () => backbone.dispose(),
  };
}

/** Opens a trained network on an extractor, which stays open. Large canvases go through it tile by tile. */
export async function openCellPredictor(
  { layers, layout, views }: DetectorNetwork,
  extractor: LevelExtractor,
  threads: Threads = 1,
): Promise<CellPredictor> {
  const session = await openSession(inferenceGraph(layers), threads);
  return {
    async predict(image) {
      const canvas = await resizeImage(image, layout.canvasWidth, layout.canvasHeight);
      const tiles: TileFeatures[] = [];
      for (const tile of layoutTiles(layout)) {
        const part = cropImage(canvas, tile.left, tile.top, layout.tileWidth, layout.tileHeight);
        const results: { view: View; cells: Matrix }[] = [];
        let [rows, columns] = [0, 0];
        for (const view of views) {
          const level = await extractor.extract(viewImage(part, view));
          const { cells } = await session.run({ level });
          const [count = 0, outputs = 0] = cells?.dims ?? [];
          results.push({ view, cells: { rows: count, columns: outputs, data: cells?.data as Float32Array } });
          const [, , viewRows = 0, viewColumns = 0] = level.dims;
          [rows, columns] = view.turn % 2 === 0 ? [viewRows, viewColumns] : [viewColumns, viewRows];
        }
        tiles.push({ rows, columns, patches: mergeViews(results, rows, columns), tile });
      }
      return stitchTiles(layout, tiles);
    },
    dispose: () => session.release(),
  };
}
