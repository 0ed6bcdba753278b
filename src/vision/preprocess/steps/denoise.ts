import sharp from 'sharp';
import Type from 'typebox';
import { withPixels } from '../prepared-image.ts';
import { defineStep } from '../step.ts';

/** Median filter: takes single odd pixels away and leaves edges sharp. */
export const denoise = defineStep({
  name: 'denoise',
  title: 'Denoise',
  help: 'Takes grain and single odd pixels away and leaves edges sharp (median filter). Use it for dim light or high gain; defects narrower than half the window vanish too.',
  schema: Type.Object(
    { window: Type.Enum([3, 5, 7], { default: 3, description: 'Side of the window in pixels' }) },
    { additionalProperties: false },
  ),
  example: { window: 3 },
  build: (config) => async (prepared) => {
    const { width, height, data } = prepared.image;
    const filtered = await sharp(data, { raw: { width, height, channels: 3 } })
      .median(config.window)
      .raw()
      .toBuffer();
    return withPixels(prepared, filtered);
  },
});
