import { say } from '../engine-messages.ts';
import type { Message } from '../message.ts';
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

const refuse = (text: string, reason: Message): VisionError =>
  new VisionError('invalid_value', say('ignore-outer.invalid', { text, reason }));

function parseLength(word: string, text: string): Length {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(px|%)?$/.exec(word) ?? [];
  const value = Number(digits);
  if (digits === '' || (unit === '' && value !== 0)) throw refuse(text, say('ignore-outer.not-a-length', { word }));
  if (value > 100_000) throw refuse(text, say('ignore-outer.too-wide', { word }));
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
    throw refuse(text, say('ignore-outer.count', { count: text.trim() === '' ? 0 : words.length }));
  const [top = ZERO, right = top, bottom = top, left = right] = words.map((word) => parseLength(word, text));
  const vertical = percentOf(top, bottom);
  if (vertical >= 100) throw refuse(text, say('ignore-outer.nothing-between-top-and-bottom', { percent: vertical }));
  const horizontal = percentOf(right, left);
  if (horizontal >= 100) throw refuse(text, say('ignore-outer.nothing-between-sides', { percent: horizontal }));
  return { top, right, bottom, left };
}

/** Checks percentages only. Margins in pixels depend on the image; see {@link leavesNothing}. */
function percentOf(...lengths: readonly Length[]): number {
  return lengths.reduce((sum, { value, unit }) => sum + (unit === '%' ? value : 0), 0);
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
