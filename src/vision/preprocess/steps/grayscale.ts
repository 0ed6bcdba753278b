import Type from 'typebox';
import { withPixels } from '../prepared-image.ts';
import { defineStep } from '../step.ts';
import { lumaOf } from './luma.ts';

/** Takes the colour out. */
export const grayscale = defineStep({
  name: 'grayscale',
  title: 'Grayscale',
  help: 'Takes the colour out. Use it where colour varies between good products, or pick the one channel in which the defect shows best.',
  fields: {
    channel: Type.Enum(['luma', 'red', 'green', 'blue'], {
      default: 'luma',
      description: 'luma: brightness as the eye sees it; or one colour channel',
    }),
  },
  example: { channel: 'luma' },
  build: (config) => async (prepared) => {
    const { data } = prepared.image;
    const out = new Uint8Array(data.length);
    const channel = ['red', 'green', 'blue'].indexOf(config.channel);
    for (let at = 0; at < data.length; at += 3) {
      const level = channel < 0 ? lumaOf(data, at) : data[at + channel]!;
      out[at] = level;
      out[at + 1] = level;
      out[at + 2] = level;
    }
    return withPixels(prepared, out);
  },
});
