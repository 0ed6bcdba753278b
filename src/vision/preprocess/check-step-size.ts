import { VisionError } from '../vision-error.ts';

/** Turned by 45°, the largest image that is read takes twice its pixels. */
const MOST_PIXELS = 250_000_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws VisionError `image_too_large` before a step makes an image that no memory holds. @param remedy what to do */
export function checkStepSize(step: string, from: Size, to: Size, remedy: string): void {
  if (to.width * to.height <= MOST_PIXELS) return;
  throw new VisionError(
    'image_too_large',
    `${step}: the ${from.width}×${from.height} image would become ${to.width}×${to.height} pixels; ${MOST_PIXELS / 1e6} megapixels are allowed. ${remedy}`,
  );
}
