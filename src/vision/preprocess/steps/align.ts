import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import type { PreparedImage } from '../../types.ts';
import { VisionError } from '../../vision-error.ts';
import { withFrame, withRemark } from '../prepared-image.ts';
import { createRegistrar } from '../registration/register-image.ts';
import { defineStep } from '../step.ts';
import { warpImage } from '../warp-image.ts';

/** Smaller references hold too little to hold on to. */
const SMALLEST_SIDE = 48;

/** Moves and turns the product to where it lies in a reference image. */
export const align = defineStep({
  name: 'align',
  title: 'Align',
  help: 'Moves and turns the product to where it lies in a reference image. Use it where products do not lie in a fixture; not for endless material such as cloth.',
  schema: Type.Object(
    {
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
    { additionalProperties: false },
  ),
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
      if (Math.min(prepared.image.width, prepared.image.height) < SMALLEST_SIDE) return notFound(prepared, 0);
      const found = registrar.register(prepared.image);
      if (!found.trusted) return notFound(prepared, found.correlation);
      const warped = warpImage({
        image: prepared.image,
        inspected: prepared.inspected,
        toInput: found.toImage,
        width,
        height,
        // The reference shows through where the photo does not reach, so that no false edge is seen there.
        backdrop: target.image,
      });
      return withFrame(prepared, { ...warped, toInput: found.toImage });
    };
  },
});

function notFound(prepared: PreparedImage, correlation: number): PreparedImage {
  const match = Math.max(0, Math.round(correlation * 100));
  return withRemark(prepared, say('align.not-found', { match }));
}
