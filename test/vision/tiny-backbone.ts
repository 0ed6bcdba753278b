import { createRandom } from '../../src/vision/math/random.ts';
import { GraphBuilder, type GraphValue } from '../../src/vision/onnx/graph-builder.ts';
import type { BackboneFile } from '../../src/vision/types.ts';

const FLOAT = 1;
const [MEAN, DEVIATION] = [0.5, 0.25];

/** The bytes of an image as normalised planes. */
function toPlanes(graph: GraphBuilder, image: GraphValue): GraphValue {
  const channelsFirst = graph.add('Transpose', [image], { perm: [0, 3, 1, 2] });
  const levels = graph.add('Cast', [channelsFirst], { to: FLOAT });
  const colours = graph.add('Slice', [levels, graph.integers(0), graph.integers(3), graph.integers(1)]);
  const scaled = graph.add('Mul', [colours, graph.constant(Float32Array.of(1 / (255 * DEVIATION)))]);
  return graph.add('Sub', [scaled, graph.constant(Float32Array.of(MEAN / DEVIATION))]);
}

interface TinyNetwork {
  /** Channels of the first level. */
  readonly eighth?: number;
  /** Channels of a pixel where the network takes bytes; absent: it takes planes. */
  readonly bytes?: number;
}

/** A small network with random weights: two levels, at an eighth and a sixteenth of the input. */
export function tinyBackbone({ eighth = 24, bytes }: TinyNetwork = {}): BackboneFile {
  const random = createRandom(17);
  const graph = new GraphBuilder();
  const image = bytes
    ? toPlanes(graph, graph.input('image', [1, 'height', 'width', bytes], 'uint8'))
    : graph.input('image', [1, 3, 'height', 'width']);
  const layer = (from: GraphValue, inputs: number, outputs: number, kernel: number, stride: number): GraphValue => {
    const scale = Math.sqrt(2 / (inputs * kernel * kernel));
    const data = Float32Array.from({ length: outputs * inputs * kernel * kernel }, () => scale * random.normal());
    const pad = (kernel - stride) / 2;
    const linear = graph.add('Conv', [from, graph.constant(data, [outputs, inputs, kernel, kernel])], {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad].map(Math.floor),
    });
    return graph.add('Relu', [linear]);
  };
  const fine = layer(layer(image, 3, 12, 4, 4), 12, eighth, 2, 2);
  const coarse = layer(fine, eighth, 32, 2, 2);
  graph.output('eighth', fine);
  graph.output('sixteenth', coarse);
  const description = {
    input: 'image',
    outputs: ['eighth', 'sixteenth'],
    mean: [MEAN, MEAN, MEAN],
    std: [DEVIATION, DEVIATION, DEVIATION],
  } as const;
  return { id: 'tiny', onnx: graph.encode(), description };
}
