import type { ConvShape } from '../supervised/conv-network.ts';

/** Pixels of the canvas between cells of the network's output. */
export const STRIDE = 8;
/** Pixels that count as 1 in the lengths which the network gives. */
export const LENGTH_UNIT = 16;
const WIDTH = 16;

/** Convolutions from pixels to cells; each cell sees about 90 pixels of its surroundings. */
export function detectorShapes(outputs: number): ConvShape[] {
  const [fine, middle, coarse] = [WIDTH, 2 * WIDTH, 4 * WIDTH];
  const layer = (
    channels: readonly [number, number],
    kernel: number,
    stride: 1 | 2 = 1,
    dilation = 1,
    residual = false,
  ): ConvShape => ({ inputs: channels[0], outputs: channels[1], kernel, stride, dilation, residual });
  return [
    layer([3, fine], 5, 2),
    layer([fine, middle], 3, 2),
    layer([middle, middle], 3, 1, 1, true),
    layer([middle, coarse], 3, 2),
    layer([coarse, coarse], 3, 1, 1, true),
    layer([coarse, coarse], 3, 1, 2, true),
    layer([coarse, coarse], 3, 1, 1, true),
    layer([coarse, outputs], 1),
  ];
}
