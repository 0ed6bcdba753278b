import Type from 'typebox';
import { withPixels } from '../prepared-image.ts';
import { defineStep } from '../step.ts';
import { gaussianBlur } from './gaussian-blur.ts';
import { toByte } from './luma.ts';

/** Unsharp mask: adds what a blur would take away. */
export const sharpen = defineStep({
  name: 'sharpen',
  title: 'Sharpen',
  help: 'Makes edges and fine marks stand out (unsharp mask). Use it for a slightly soft lens; it raises noise as well.',
  fields: {
    amount: Type.Number({ minimum: 0, maximum: 5, default: 1, description: '0 changes nothing, 1 is usual' }),
    radius: Type.Number({ minimum: 0.5, maximum: 10, default: 1.5, description: 'Width of the edges in pixels' }),
  },
  example: { amount: 1, radius: 1.5 },
  build: (config) => async (prepared) => {
    const { data } = prepared.image;
    const blurred = gaussianBlur(prepared.image, config.radius);
    const out = new Uint8Array(data.length);
    for (let at = 0; at < data.length; at++) out[at] = toByte(data[at]! + config.amount * (data[at]! - blurred[at]!));
    return withPixels(prepared, out);
  },
});
