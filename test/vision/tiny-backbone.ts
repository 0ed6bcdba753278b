import { createRandom } from '../../src/vision/math/random.ts';
import { encodeOnnxModel, type OnnxConstant, type OnnxNode } from '../../src/vision/onnx/onnx-model.ts';
import type { BackboneFile } from '../../src/vision/types.ts';

/**
 * A small network with random weights: two levels, at an eighth and a sixteenth of the input.
 * @param eighth channels of the first
 */
export function tinyBackbone(eighth = 24): BackboneFile {
  const random = createRandom(17);
  const constants: OnnxConstant[] = [];
  const nodes: OnnxNode[] = [];
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
  layer('image', 'quarter', 3, 12, 4, 4);
  layer('quarter', 'eighth', 12, eighth, 2, 2);
  layer('eighth', 'sixteenth', eighth, 32, 2, 2);
  const onnx = encodeOnnxModel({
    inputs: [{ name: 'image', dims: [1, 3, 'height', 'width'] }],
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
    mean: [0.5, 0.5, 0.5],
    std: [0.25, 0.25, 0.25],
  } as const;
  return { id: 'tiny', onnx, description };
}
