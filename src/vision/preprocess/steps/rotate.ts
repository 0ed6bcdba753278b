import Type from 'typebox';
import type { Affine } from '../../types.ts';
import { checkStepSize } from '../check-step-size.ts';
import { withFrame } from '../prepared-image.ts';
import { defineStep } from '../step.ts';
import { warpImage } from '../warp-image.ts';

/** Turns the image. */
export const rotate = defineStep({
  name: 'rotate',
  title: 'Rotate',
  help: 'Turns the image clockwise by a fixed angle, for a camera that is mounted askew or on its side. Corners that come from outside are grey and not inspected.',
  fields: {
    degrees: Type.Number({ minimum: -360, maximum: 360, default: 90, description: 'Clockwise' }),
    expand: Type.Boolean({
      default: true,
      description: 'true: the canvas grows so that nothing is cut off; false: the size stays',
    }),
  },
  example: { degrees: 90, expand: true },
  build: (config) => async (prepared) => {
    const { image, inspected } = prepared;
    const { cos, sin } = turn(config.degrees);
    // Tiny overshoot of a sum of products must not add a row.
    const grown = (across: number, along: number): number => Math.ceil(Math.abs(across) + Math.abs(along) - 1e-6);
    const width = config.expand ? grown(image.width * cos, image.height * sin) : image.width;
    const height = config.expand ? grown(image.width * sin, image.height * cos) : image.height;
    checkStepSize('rotate.too-large', image, { width, height });
    const toInput: Affine = {
      a: cos,
      b: sin,
      c: image.width / 2 - (cos * width) / 2 - (sin * height) / 2,
      d: -sin,
      e: cos,
      f: image.height / 2 + (sin * width) / 2 - (cos * height) / 2,
    };
    const warped = warpImage({ image, inspected, toInput, width, height });
    return withFrame(prepared, { ...warped, toInput });
  },
});

/** Exact for quarter turns, which then move pixels without blending them. */
function turn(degrees: number): { cos: number; sin: number } {
  const quarter = (((degrees / 90) % 4) + 4) % 4;
  if (Number.isInteger(quarter)) return { cos: [1, 0, -1, 0][quarter] ?? 1, sin: [0, 1, 0, -1][quarter] ?? 0 };
  const radians = (degrees * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
}
