import Type from 'typebox';
import { withPixels } from '../prepared-image.ts';
import { defineStep } from '../step.ts';

const windowUpTo = (side: number): number => side - ((side + 1) % 2);

/** Median filter: removes single deviating pixels and leaves edges sharp. */
export const denoise = defineStep({
  name: 'denoise',
  title: 'Denoise',
  help: 'Takes grain and single deviating pixels away and leaves edges sharp (median filter). Use it for dim light or high gain; defects narrower than half the window vanish too.',
  fields: { window: Type.Enum([3, 5, 7], { default: 3, description: 'Side of the window in pixels' }) },
  example: { window: 3 },
  build: (config) => async (prepared) => {
    const { width, height } = prepared.image;
    // No window is larger than the image.
    const window = Math.min(config.window, windowUpTo(Math.min(width, height)));
    if (window < 3) return prepared;
    const { pixelsOfSharp, sharpImage } = await import('../../image/sharp-image.ts');
    const filtered = await pixelsOfSharp(sharpImage(prepared.image).median(window));
    return withPixels(prepared, filtered.data);
  },
});
