import { say } from '../engine-messages.ts';
import { VisionError } from '../vision-error.ts';

/** Turned by 45°, the largest image that is read takes twice its pixels. */
const MOST_PIXELS = 250_000_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws VisionError `image_too_large` before a step makes an image that no memory holds. */
export function checkStepSize(code: 'resize.too-large' | 'rotate.too-large', from: Size, to: Size): void {
  if (to.width * to.height <= MOST_PIXELS) return;
  const sizes = { width: from.width, height: from.height, newWidth: to.width, newHeight: to.height };
  throw new VisionError('image_too_large', say(code, { ...sizes, most: MOST_PIXELS / 1e6 }));
}
