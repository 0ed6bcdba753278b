import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import { cropBytes } from '../../image/arrange-image.ts';
import { IDENTITY, translation } from '../../math/affine.ts';
import type { Affine, RgbImage } from '../../types.ts';
import { VisionError } from '../../vision-error.ts';
import { defineStep, withFrame } from '../step.ts';
import { warpImage } from '../warp-image.ts';

/** Percent is the default because it still fits when a camera is replaced by one with more pixels. */
export const unitSchema = Type.Enum(['percent', 'pixel'], {
  default: 'percent',
  description: 'Unit of the lengths: percent of the image, or pixels of the image at this step',
});

export const lengthInPixels = (length: number, unit: 'percent' | 'pixel', side: number): number =>
  unit === 'percent' ? (length / 100) * side : length;

/** Turned by 45°, the largest image that is read takes twice its pixels. */
const MOST_PIXELS = 250_000_000;

/** @throws VisionError `image_too_large` before a step makes an image that no memory holds. */
function checkStepSize(
  code: 'resize.too-large' | 'rotate.too-large',
  { width, height }: RgbImage,
  newWidth: number,
  newHeight: number,
): void {
  if (newWidth * newHeight <= MOST_PIXELS) return;
  throw new VisionError('image_too_large', say(code, { width, height, newWidth, newHeight, most: MOST_PIXELS / 1e6 }));
}

export const crop = defineStep({
  name: 'crop',
  title: 'Crop',
  help: 'Keeps one rectangle of the image. Use it where the product fills only a part of the image: small defects are then seen larger.',
  fields: {
    x: Type.Number({ minimum: 0, default: 0, description: 'Left edge' }),
    y: Type.Number({ minimum: 0, default: 0, description: 'Top edge' }),
    width: Type.Number({ exclusiveMinimum: 0, description: 'Width of the rectangle' }),
    height: Type.Number({ exclusiveMinimum: 0, description: 'Height of the rectangle' }),
    unit: unitSchema,
  },
  example: { x: 10, y: 10, width: 80, height: 80, unit: 'percent' },
  check(config) {
    if (config.unit === 'pixel') return [];
    return (['x', 'y'] as const).flatMap((edge) => {
      const side = edge === 'x' ? 'width' : 'height';
      const end = config[edge] + config[side];
      if (end <= 100) return [];
      const message = say('crop.beyond', { edge, side, end, most: Math.max(0, 100 - config[edge]) });
      return [{ field: side, message }];
    });
  },
  build: (config) => async (prepared) => {
    const { image, inspected } = prepared;
    const left = Math.round(lengthInPixels(config.x, config.unit, image.width));
    const top = Math.round(lengthInPixels(config.y, config.unit, image.height));
    const right = Math.min(image.width, Math.round(left + lengthInPixels(config.width, config.unit, image.width)));
    const bottom = Math.min(image.height, Math.round(top + lengthInPixels(config.height, config.unit, image.height)));
    const width = right - left;
    const height = bottom - top;
    if (width < 1 || height < 1) {
      const values = { width: image.width, height: image.height, left, top };
      throw new VisionError('invalid_value', say('crop.nothing-left', values));
    }
    const rectangle = { left, top, width, height };
    return withFrame(prepared, {
      image: { width, height, data: cropBytes(image.data, image.width, 3, rectangle) },
      toInput: translation(left, top),
      inspected: inspected && cropBytes(inspected, image.width, 1, rectangle),
    });
  },
});

const side = (name: string) => {
  const description = `${name} in pixels; absent: it follows from the other side`;
  return Type.Optional(Type.Integer({ minimum: 16, maximum: 8192, description }));
};

export const resize = defineStep({
  name: 'resize',
  title: 'Resize',
  help: 'Brings images to one size. Use it where images come in different sizes, or are far larger than the smallest defect needs.',
  fields: { width: side('Width'), height: side('Height') },
  example: { width: 1024 },
  check(config) {
    if (config.width !== undefined || config.height !== undefined) return [];
    return [{ field: 'width', message: say('resize.no-size') }];
  },
  build: (config) => async (prepared) => {
    const { image, inspected } = prepared;
    const width = config.width ?? Math.max(1, Math.round((image.width * (config.height ?? 0)) / image.height));
    const height = config.height ?? Math.max(1, Math.round((image.height * width) / image.width));
    checkStepSize('resize.too-large', image, width, height);
    const { resizeImage } = await import('../../image/resize-image.ts');
    return withFrame(prepared, {
      image: await resizeImage(image, width, height),
      toInput: { ...IDENTITY, a: image.width / width, e: image.height / height },
      inspected: inspected && resizeMask(inspected, image.width, image.height, width, height),
    });
  },
});

/** The cell of the old map under the centre of each new one. */
function resizeMask(map: Uint8Array, oldWidth: number, oldHeight: number, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = Math.floor(((row + 0.5) * oldHeight) / height) * oldWidth;
    for (let column = 0; column < width; column++) {
      out[row * width + column] = map[from + Math.floor(((column + 0.5) * oldWidth) / width)]!;
    }
  }
  return out;
}

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
    checkStepSize('rotate.too-large', image, width, height);
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
