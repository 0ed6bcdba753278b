import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import { cropBytes } from '../../image/crop-image.ts';
import { translation } from '../../math/affine.ts';
import { VisionError } from '../../vision-error.ts';
import { withFrame } from '../prepared-image.ts';
import { defineStep } from '../step.ts';
import { lengthInPixels, unitSchema } from './unit.ts';

/** Keeps a rectangle and drops the rest. */
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
      throw new VisionError(
        'invalid_value',
        say('crop.nothing-left', { width: image.width, height: image.height, left, top }),
      );
    }
    const rectangle = { left, top, width, height };
    return withFrame(prepared, {
      image: { width, height, data: cropBytes(image.data, image.width, 3, rectangle) },
      toInput: translation(left, top),
      inspected: inspected && cropBytes(inspected, image.width, 1, rectangle),
    });
  },
});
