import { describe, expect, it } from 'vitest';
import { parseAlgorithmOptions, parseOverrides } from './parameter-options.ts';

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
    expect(() => parseAlgorithmOptions('patchcore', wrong)).toThrow(/no parameter colour.*neighbours is "x"/);
  });
});
