import { describe, expect, it } from 'vitest';
import { VisionError } from '../vision-error.ts';
import { marginPixels, parseIgnoreOuter } from './parse-ignore-outer.ts';

const pixels = (text: string): number[] => Object.values(marginPixels(parseIgnoreOuter(text), 200, 100));

describe('parseIgnoreOuter', () => {
  it.each([
    ['none', [0, 0, 0, 0]],
    ['0', [0, 0, 0, 0]],
    ['12px', [12, 12, 12, 12]],
    ['5%', [5, 10, 5, 10]],
    ['5% 10px', [5, 10, 5, 10]],
    ['1px 2px 3px', [1, 2, 3, 2]],
    [' 1PX  2px 3px 2.5% ', [1, 2, 3, 5]],
  ])('reads %s as top, right, bottom, left', (text, expected) => {
    expect(pixels(text)).toEqual(expected);
  });

  it.each(['', '5', '-1px', '50%', '1px 2px 3px 4px 5px', '5em', 'auto', '1e9px', 'none 5%', 'NaN%', '99999999px'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseIgnoreOuter(text)).toThrow(VisionError);
      expect(() => parseIgnoreOuter(text)).toThrow('ignore_outer');
    },
  );
});
