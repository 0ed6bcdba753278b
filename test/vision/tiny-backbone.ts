import { createRandom } from '../../src/vision/math/random.ts';
import { encodeOnnxModel, type OnnxConstant, type OnnxNode, type OnnxPart } from '../../src/vision/onnx/onnx-model.ts';
import type { BackboneFile } from '../../src/vision/types.ts';

const FLOAT = 1;
const [MEAN, DEVIATION] = [0.5, 0.25];

/** The bytes of `image` to normalised planes. */
const planesPart = (image: string, planes: string): OnnxPart => ({
  constants: [
    { name: 'first', dims: [1], data: BigInt64Array.of(0n) },
    { name: 'fourth', dims: [1], data: BigInt64Array.of(3n) },
    { name: 'channels', dims: [1], data: BigInt64Array.of(1n) },
    { name: 'scale', dims: [1], data: Float32Array.of(1 / (255 * DEVIATION)) },
    { name: 'offset', dims: [1], data: Float32Array.of(MEAN / DEVIATION) },
  ],
  nodes: [
    { op: 'Transpose', inputs: [image], outputs: ['turned'], attributes: { perm: [0, 3, 1, 2] } },
    { op: 'Cast', inputs: ['turned'], outputs: ['levels'], attributes: { to: FLOAT } },
    { op: 'Slice', inputs: ['levels', 'first', 'fourth', 'channels'], outputs: ['colours'] },
    { op: 'Mul', inputs: ['colours', 'scale'], outputs: ['scaled'] },
    { op: 'Sub', inputs: ['scaled', 'offset'], outputs: [planes] },
  ],
});

interface TinyNetwork {
  /** Channels of the first level. */
  readonly eighth?: number;
  /** Channels of a pixel where the network takes bytes; absent: it takes planes. */
  readonly bytes?: number;
}

/** A small network with random weights: two levels, at an eighth and a sixteenth of the input. */
export function tinyBackbone({ eighth = 24, bytes }: TinyNetwork = {}): BackboneFile {
  const random = createRandom(17);
  const before = bytes ? planesPart('image', 'planes') : { constants: [], nodes: [] };
  const constants: OnnxConstant[] = [...before.constants];
  const nodes: OnnxNode[] = [...before.nodes];
  const layer = (from: string, to: string, inputs: number, outputs: number, kernel: number, stride: number): void => {
    const scale = Math.sqrt(2 / (inputs * kernel * kernel));
    const data = Float32Array.from({ length: outputs * inputs * kernel * kernel }, () => scale * random.normal());
    constants.push({ name: `${to}_weights`, dims: [outputs, inputs, kernel, kernel], data });
    const pad = (kernel - stride) / 2;
    const attributes = {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad].map(Math.floor),
    };
    nodes.push({ op: 'Conv', inputs: [from, `${to}_weights`], outputs: [`${to}_linear`], attributes });
    nodes.push({ op: 'Relu', inputs: [`${to}_linear`], outputs: [to] });
  };
  layer(bytes ? 'planes' : 'image', 'quarter', 3, 12, 4, 4);
  layer('quarter', 'eighth', 12, eighth, 2, 2);
  layer('eighth', 'sixteenth', eighth, 32, 2, 2);
  const onnx = encodeOnnxModel({
    inputs: [
      bytes
        ? { name: 'image', type: 'uint8', dims: [1, 'height', 'width', bytes] }
        : { name: 'image', dims: [1, 3, 'height', 'width'] },
    ],
    outputs: [
      { name: 'eighth', dims: [1, eighth, 'rows_8', 'columns_8'] },
      { name: 'sixteenth', dims: [1, 32, 'rows_16', 'columns_16'] },
    ],
    nodes,
    constants,
  });
  const description = {
    input: 'image',
    outputs: ['eighth', 'sixteenth'],
    mean: [MEAN, MEAN, MEAN],
    std: [DEVIATION, DEVIATION, DEVIATION],
  } as const;
  return { id: 'tiny', onnx, description };
}
