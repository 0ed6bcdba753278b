import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import type { ReadonlyBytes, RgbImage } from '../../types.ts';
import { defineStep, withPixels } from '../step.ts';

/** Brightness of the pixel at `at` (its red byte), 0 to 255; weights of ITU-R BT.601 in 16-bit fixed point. */
export function lumaOf(data: ReadonlyBytes, at: number): number {
  return (data[at]! * 19595 + data[at + 1]! * 38470 + data[at + 2]! * 7471 + 32768) >> 16;
}

export function toByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
}

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
    const applyCurve = (level: number): number => curve[level]!;
    return async (prepared) => withPixels(prepared, prepared.image.data.map(applyCurve));
  },
});

const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

export const whiteBalance = defineStep({
  name: 'white_balance',
  title: 'White balance',
  help: 'Takes a colour cast of the light away. Use it where lamps age or daylight comes in; a white or grey card in the image, given as "area", is best.',
  fields: {
    method: Type.Enum(['gray_world', 'white_patch'], {
      default: 'gray_world',
      description: 'gray_world: the mean is made grey; white_patch: the brightest hundredth is made colourless',
    }),
    area: Type.Optional(
      Type.Object(
        { x: percent('Left edge'), y: percent('Top edge'), width: percent('Width'), height: percent('Height') },
        {
          additionalProperties: false,
          description: 'Measure only here, in percent of the image; absent: everywhere',
        },
      ),
    ),
  },
  example: { method: 'gray_world' },
  check({ area }) {
    if (!area || (area.width > 0 && area.height > 0 && area.x + area.width <= 100 && area.y + area.height <= 100))
      return [];
    return [{ field: 'area', message: say('white-balance.area', area) }];
  },
  build: (config) => async (prepared) => {
    const { image } = prepared;
    const histograms = measure(image, config.area ?? { x: 0, y: 0, width: 100, height: 100 });
    const levels = histograms.map(config.method === 'gray_world' ? meanLevel : brightLevel);
    // The mean keeps the brightness. A white card takes the level of its brightest channel, so that no channel clips.
    const mean = levels.reduce((sum, level) => sum + level, 0) / 3;
    const neutral = config.method === 'gray_world' ? mean : Math.max(...levels);
    const curves = levels.map((level) => {
      // A channel that is almost black cannot be balanced, so the gain has a limit.
      const gain = Math.min(3, Math.max(1 / 3, neutral / Math.max(1, level)));
      return Uint8Array.from({ length: 256 }, (_, value) => toByte(value * gain));
    });
    const out = new Uint8Array(image.data.length);
    for (let at = 0; at < out.length; at++) out[at] = curves[at % 3]![image.data[at]!]!;
    return withPixels(prepared, out);
  },
});

/** One histogram a channel, [256] each. @param area in percent of the image */
function measure(image: RgbImage, area: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>): Float64Array[] {
  const histograms = [0, 1, 2].map(() => new Float64Array(256));
  const left = Math.min(image.width - 1, Math.floor((area.x / 100) * image.width));
  const top = Math.min(image.height - 1, Math.floor((area.y / 100) * image.height));
  const right = Math.max(left + 1, Math.ceil(((area.x + area.width) / 100) * image.width));
  const bottom = Math.max(top + 1, Math.ceil(((area.y + area.height) / 100) * image.height));
  for (let y = top; y < Math.min(bottom, image.height); y++) {
    for (let x = left; x < Math.min(right, image.width); x++) {
      const at = (y * image.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) histograms[channel]![image.data[at + channel]!]! += 1;
    }
  }
  return histograms;
}

const countPixels = (histogram: Float64Array): number => histogram.reduce((sum, count) => sum + count, 0);

const meanLevel = (histogram: Float64Array): number =>
  histogram.reduce((sum, count, level) => sum + count * level, 0) / countPixels(histogram);

/** The level that one pixel in a hundred reaches. */
function brightLevel(histogram: Float64Array): number {
  const pixels = countPixels(histogram);
  let above = 0;
  for (let level = 255; level > 0; level--) {
    above += histogram[level]!;
    if (above >= pixels / 100) return level;
  }
  return 0;
}
