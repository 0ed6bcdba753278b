import type { Tensor } from 'onnxruntime-node';
import { type InputLayout, layoutTiles } from '../../backbone/input-layout.ts';
import { cropImage } from '../../image/arrange-image.ts';
import { resizeImage } from '../../image/resize-image.ts';
import { sampleIndices } from '../../math/random.ts';
import { prefetch } from '../../onnx/prefetch.ts';
import type { Random, Rectangle, TrainingSample } from '../../types.ts';
import type { ConvLayer, LevelExtractor } from './detector-network.ts';

/** How features come to the network in training: (feature − mean) / deviation of each channel. */
export interface FeatureScale {
  /** [channels] */
  readonly mean: Float32Array;
  /** [channels] */
  readonly deviation: Float32Array;
  /** Pixels of the canvas for one cell in each direction. */
  readonly cellSide: number;
}

const MEASURED_IMAGES = 8;
/** Added to a variance: a channel may always be the same. */
const LEAST_VARIANCE = 1e-6;

/** Measures the channels of the backbone's finest level in the first tile of some samples. */
export async function measureFeatures(
  samples: readonly TrainingSample[],
  layout: InputLayout,
  extractor: LevelExtractor,
  random: Random,
): Promise<FeatureScale> {
  const { canvasWidth, canvasHeight, tileWidth, tileHeight } = layout;
  const [{ left, top } = { left: 0, top: 0 }] = layoutTiles(layout);
  const chosen = Array.from(sampleIndices(samples.length, MEASURED_IMAGES, random), (index) => samples[index]!);
  const load = async (sample: TrainingSample) => resizeImage((await sample.load()).image, canvasWidth, canvasHeight);
  let sums = new Float64Array();
  let squares = new Float64Array();
  let cells = 0;
  let cellSide = 1;
  for await (const canvas of prefetch(chosen, load)) {
    const { dims, data } = await extractor.extract(cropImage(canvas, left, top, tileWidth, tileHeight));
    const [, channels = 0, rows = 0, columns = 0] = dims;
    if (sums.length === 0) [sums, squares] = [new Float64Array(channels), new Float64Array(channels)];
    for (let channel = 0, at = 0; channel < channels; channel++)
      for (let cell = 0; cell < rows * columns; cell++) {
        const value = data[at++] as number;
        sums[channel]! += value;
        squares[channel]! += value * value;
      }
    cells += rows * columns;
    cellSide = Math.max(1, Math.round(tileWidth / columns));
  }
  const mean = Float32Array.from(sums, (sum) => sum / cells);
  const deviation = Float32Array.from(squares, (square, channel) =>
    Math.sqrt(Math.max(0, square / cells - mean[channel]! ** 2) + LEAST_VARIANCE),
  );
  return { mean, deviation, cellSide };
}

/** A deviation is so many codes: a byte reaches eight deviations to each side. */
const CODES = 16;
const LARGEST_CODE = 127;

/**
 * The features of a part of an image in bytes, a {@link CODES}th of a deviation each. [rows · columns, channels]
 * @param level [1, channels, rows, columns] of an image of `width` × `height` cells
 * @param part of the image, in cells
 */
export function encodeFeatures(
  { dims, data }: Tensor,
  { width, height }: Readonly<Record<'width' | 'height', number>>,
  part: Rectangle,
  { mean, deviation }: FeatureScale,
): Int8Array {
  const [, channels = 0, rows = 0, columns = 0] = dims;
  const { xMin, yMin, xMax, yMax } = part;
  const codes = new Int8Array((xMax - xMin) * (yMax - yMin) * channels);
  let to = 0;
  // A network that pads nothing gives fewer cells than its stride says: the nearest one counts.
  for (let y = yMin; y < yMax; y++)
    for (let x = xMin; x < xMax; x++) {
      const cell = Math.floor(((y + 0.5) * rows) / height) * columns + Math.floor(((x + 0.5) * columns) / width);
      for (let channel = 0; channel < channels; channel++) {
        const value = data[channel * rows * columns + cell] as number;
        const code = Math.round((CODES * (value - mean[channel]!)) / deviation[channel]!);
        codes[to++] = Math.max(-LARGEST_CODE, Math.min(LARGEST_CODE, code));
      }
    }
  return codes;
}

/** What {@link encodeFeatures} gave, as the network's input. @param planes [channels, cells], filled */
export function decodeFeatures(codes: Int8Array, planes: Float32Array, channels: number): void {
  const cells = codes.length / channels;
  for (let cell = 0, at = 0; cell < cells; cell++)
    for (let channel = 0; channel < channels; channel++) planes[channel * cells + cell] = codes[at++]! / CODES;
}

/** The first layer, a 1×1 convolution, for features as the backbone gives them. */
export function foldScale({ shape, weight, bias }: ConvLayer, { mean, deviation }: FeatureScale): ConvLayer {
  const { inputs } = shape;
  const scaled = weight.map((value, index) => value / deviation[index % inputs]!);
  const shifted = bias.map((value, output) => {
    let sum = value;
    for (let input = 0; input < inputs; input++) sum -= scaled[output * inputs + input]! * mean[input]!;
    return sum;
  });
  return { shape, weight: scaled, bias: shifted };
}
