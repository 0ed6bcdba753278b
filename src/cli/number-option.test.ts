import { describe, expect, it } from 'vitest';
import { parseCount, parseNumber } from './number-option.ts';

describe('numbers of the command line', () => {
  it('are read', () => {
    expect(['0.5', '.5', '-3', '12'].map(parseNumber)).toEqual([0.5, 0.5, -3, 12]);
    expect(parseCount('30')).toBe(30);
  });

  it('are refused where they are none', () => {
    for (const text of ['abc', '', '1e3', '5%', 'NaN']) expect(() => parseNumber(text)).toThrow('must be a number');
    for (const text of ['abc', '0', '-1', '1.5']) expect(() => parseCount(text)).toThrow('from 1 up');
  });
});
