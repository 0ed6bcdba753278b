import { describe, expect, it } from 'vitest';
import { VisionError } from '../vision-error.ts';
import { leavesNothing, marginPixels, parseIgnoreOuter } from './inspected-map.ts';

const pixels = (text: string): number[] => Object.values(marginPixels(parseIgnoreOuter(text), 200, 100));

describe('parseIgnoreOuter', () => {
  it.each([
    ['none', [0, 0, 0, 0]],
    ['0', [0, 0, 0, 0]],
    ['12px', [12, 12, 12, 12]],
    ['5%', [5, 10, 5, 10]],
    ['5% 10px', [5, 10, 5, 10]],
    ['1px 2px 3px', [1, 2, 3, 2]],
    ['60% 0 0 0', [60, 0, 0, 0]],
    ['0 99% 0 0', [0, 198, 0, 0]],
    ['60% 0 39%', [60, 0, 39, 0]],
    [' 1PX  2px 3px 2.5% ', [1, 2, 3, 5]],
  ])('reads %s as top, right, bottom, left', (text, expected) => {
    expect(pixels(text)).toEqual(expected);
  });

  it.each([
    ['50%', 'its top and bottom margins take 100\u00a0% of the image'],
    ['60% 0 40% 0', 'its top and bottom margins take 100\u00a0% of the image'],
    ['0 60% 0 70%', 'its right and left margins take 130\u00a0% of the image'],
    ['100% 0 0 0', 'its top and bottom margins take 100\u00a0% of the image'],
  ])('refuses "%s", which leaves nothing of any image: %s', (text, reason) => {
    expect(() => parseIgnoreOuter(text)).toThrow(reason);
  });

  it.each([
    ['270px 0 0 0', false],
    ['512px 0 0 0', true],
    ['256px', true],
    ['255px', false],
    ['0 200px 0 40%', false],
    ['0 400px 0 40%', true],
  ])('knows whether "%s" leaves nothing of 640×512 pixels: %s', (text, nothing) => {
    expect(leavesNothing(parseIgnoreOuter(text), 640, 512)).toBe(nothing);
  });

  it.each(['', '5', '-1px', '50%', '1px 2px 3px 4px 5px', '5em', 'auto', '1e9px', 'none 5%', 'NaN%', '99999999px'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseIgnoreOuter(text)).toThrow(VisionError);
      expect(() => parseIgnoreOuter(text)).toThrow('ignore_outer');
    },
  );
});
