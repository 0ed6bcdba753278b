import { VisionError } from '../vision-error.ts';

interface Length {
  readonly value: number;
  readonly unit: 'px' | '%';
}

/** Margins of the original image that are not inspected. */
export interface OuterMargins {
  readonly top: Length;
  readonly right: Length;
  readonly bottom: Length;
  readonly left: Length;
}

const ZERO: Length = { value: 0, unit: 'px' };
export const NO_MARGINS: OuterMargins = { top: ZERO, right: ZERO, bottom: ZERO, left: ZERO };

const refuse = (text: string, why: string): VisionError =>
  new VisionError(
    'invalid_value',
    `ignore_outer is "${text}": ${why}. Write "none", or one to four lengths as in "5%", "12px", "5% 10px".`,
  );

function parseLength(word: string, text: string): Length {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(px|%)?$/.exec(word) ?? [];
  const value = Number(digits);
  if (digits === '' || (unit === '' && value !== 0)) throw refuse(text, `"${word}" is not a length`);
  if (value > 100_000) throw refuse(text, `${word} is wider than any image`);
  return { value, unit: unit === '%' ? '%' : 'px' };
}

/**
 * `none` or one to four lengths in CSS's order: all; top and bottom, sides; top, sides, bottom; top, right, bottom, left.
 * @throws VisionError `invalid_value`
 */
export function parseIgnoreOuter(text: string): OuterMargins {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words.length === 1 && words[0] === 'none') return NO_MARGINS;
  if (text.trim() === '' || words.length > 4)
    throw refuse(text, `it has ${text.trim() === '' ? 0 : words.length} lengths`);
  const [top = ZERO, right = top, bottom = top, left = right] = words.map((word) => parseLength(word, text));
  checkPercent(text, 'top and bottom', top, bottom);
  checkPercent(text, 'right and left', right, left);
  return { top, right, bottom, left };
}

/** What pixels leave depends on the image; see {@link leavesNothing}. */
function checkPercent(text: string, sides: string, ...lengths: readonly Length[]): void {
  const percent = lengths.reduce((sum, { value, unit }) => sum + (unit === '%' ? value : 0), 0);
  if (percent >= 100) throw refuse(text, `its ${sides} margins take ${percent} % of the image`);
}

/** Whether less than a pixel is left between the margins of an image of this size. */
export function leavesNothing(margins: OuterMargins, width: number, height: number): boolean {
  const { top, right, bottom, left } = marginPixels(margins, width, height);
  return width - left - right < 1 || height - top - bottom < 1;
}

/** Margins in pixels of an image of this size. */
export function marginPixels({ top, right, bottom, left }: OuterMargins, width: number, height: number) {
  const pixels = ({ value, unit }: Length, size: number): number => (unit === '%' ? (value / 100) * size : value);
  return {
    top: pixels(top, height),
    right: pixels(right, width),
    bottom: pixels(bottom, height),
    left: pixels(left, width),
  };
}
