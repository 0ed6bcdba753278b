import Type from 'typebox';
import { withPixels } from '../prepared-image.ts';
import { defineStep } from '../step.ts';
import { toByte } from './luma.ts';

/** Brightens or darkens the middle tones, black and white stay. */
export const gamma = defineStep({
  name: 'gamma',
  title: 'Gamma',
  help: 'Brightens dark parts (above 1) or darkens light ones (below 1); black and white stay. Use it for dark products or glare.',
  fields: {
    gamma: Type.Number({
      minimum: 0.1,
      maximum: 10,
      default: 1.5,
      description: 'Above 1 brightens, below 1 darkens',
    }),
  },
  example: { gamma: 1.5 },
  build(config) {
    const curve = Uint8Array.from({ length: 256 }, (_, level) => toByte(255 * (level / 255) ** (1 / config.gamma)));
    return async (prepared) =>
      withPixels(
        prepared,
        prepared.image.data.map((level) => curve[level]!),
      );
  },
});
