import Type from 'typebox';
import { say } from '../../engine-messages.ts';
import { IDENTITY } from '../../math/affine.ts';
import { checkStepSize } from '../check-step-size.ts';
import { withFrame } from '../prepared-image.ts';
import { defineStep } from '../step.ts';

const side = (name: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 8192,
      description: `${name} in pixels; absent: it follows from the other side`,
    }),
  );

/** Brings images to one size. */
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
    checkStepSize('resize.too-large', image, { width, height });
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
