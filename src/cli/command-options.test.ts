import { describe, expect, it } from 'vitest';
import { parseAlgorithmOptions, parseCount, parseNumber, parseOverrides } from './command-options.ts';

describe('parameters of the command line', () => {
  it('override the defaults', () => {
    const { values } = parseAlgorithmOptions('patchcore', parseOverrides(['bank_size=500', 'backbone=a=b']));
    expect(values).toMatchObject({ bank_size: 500, backbone: 'a=b', neighbours: 1 });
  });

  it('are refused by name, with what there is', () => {
    expect(() => parseOverrides(['bank_size'])).toThrow('--param is "bank_size"; write it as name=value.');
    expect(() => parseAlgorithmOptions('magic', [])).toThrow('no algorithm magic; there are patchcore, padim');
    const wrong = [
      { name: 'colour', value: '1' },
      { name: 'neighbours', value: 'x' },
    ];
    expect(() => parseAlgorithmOptions('patchcore', wrong)).toThrow(
      /colour is not known here. Known: .*neighbours must be a whole number from .*received "x"/,
    );
  });
});

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
