import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import type { Message } from '../../message.ts';
import { VisionError } from '../../vision-error.ts';
import { createRegistrar, MOST_SCALE, type Registration } from '../registration/register-image.ts';
import { defineStep, withFrame, withRemark } from '../step.ts';
import { warpImage } from '../warp-image.ts';

/** Pixels. Smaller references do not have enough structure to be matched. */
const SMALLEST_SIDE = 48;

export const align = defineStep({
  name: 'align',
  title: 'Align',
  help: 'Moves and turns the product to where it lies in a reference image. Use it where products do not lie in a fixture; not for endless material such as cloth.',
  fields: {
    reference: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Item whose image is the reference: a good product, well placed',
    }),
    max_shift: Type.Number({
      minimum: 1,
      maximum: 40,
      default: 15,
      description: 'Largest shift, percent of the longer side',
    }),
    max_rotation: Type.Number({
      minimum: 0,
      maximum: 45,
      default: 15,
      description: 'Largest turn either way, degrees',
    }),
  },
  example: { reference: '0190c3a8-5b1e-7c44-9d5b-3f6d0a1b2c3d', max_shift: 15, max_rotation: 15 },
  references: (config) => [config.reference],
  async build(config, context) {
    const target = await context.reference(config.reference);
    const { width, height } = target.image;
    if (Math.min(width, height) < SMALLEST_SIDE) {
      throw new VisionError('invalid_value', say('align.reference-too-small', { width, height, least: SMALLEST_SIDE }));
    }
    const limits = { shift: config.max_shift / 100, degrees: config.max_rotation };
    const registrar = createRegistrar(target.image, limits, target.inspected);
    if (!registrar.hasStructure) throw new VisionError('invalid_value', say('align.no-structure', { width, height }));
    return async (prepared) => {
      const { image, inspected } = prepared;
      const isTooSmall = Math.min(image.width, image.height) < SMALLEST_SIDE;
      const found = isTooSmall ? undefined : registrar.register(image);
      if (!found || found.fault) return withRemark(prepared, describeFault(found, config));
      const toInput = found.toImage;
      // The reference shows through where the image does not reach, so that no false edge is seen there.
      const warped = warpImage({ image, inspected, toInput, width, height, backdrop: target.image });
      return withFrame(prepared, { ...warped, toInput });
    };
  },
});

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** @param found absent: the image is too small to be compared. */
function describeFault(found: Registration | undefined, limits: { max_shift: number; max_rotation: number }): Message {
  switch (found?.fault) {
    case 'shift':
      return say('align.shift', { shift: oneDecimal(100 * found.shift), most: limits.max_shift });
    case 'rotation':
      return say('align.rotation', { degrees: oneDecimal(Math.abs(found.degrees)), most: limits.max_rotation });
    case 'scale':
      return say('align.scale', { size: oneDecimal(100 * found.scale), most: 100 * MOST_SCALE });
    default:
      return say('align.not-found', { match: Math.max(0, Math.round(100 * (found?.correlation ?? 0))) });
  }
}
