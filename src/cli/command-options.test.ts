import { describe, expect, it } from 'vitest';
import { openAlgorithm, parseCount, parseNumber } from './command-options.ts';

const open = (algorithm: string, ...param: string[]) => openAlgorithm({ algorithm, param });

describe('parameters of the command line', () => {
  it('override the defaults', async () => {
    const { values, backbone } = await open('patchcore', 'bank_size=500', 'backbone=kensa-int8');
    expect(values).toMatchObject({ bank_size: 500, backbone: 'kensa-int8', neighbours: 1 });
    expect(backbone.id).toBe('kensa-int8');
  });

  it('are refused by name, with the known names', async () => {
    await expect(open('patchcore', 'bank_size')).rejects.toThrow('--param is "bank_size"; write it as name=value.');
    await expect(open('patchcore', 'backbone=a=b')).rejects.toThrow('a=b');
    await expect(open('magic')).rejects.toThrow('no algorithm magic; there are patchcore, padim');
    await expect(open('patchcore', 'colour=1', 'neighbours=x')).rejects.toThrow(
      /colour is not known here. Known: .*neighbours must be a whole number from .*received "x"/,
    );
  });
});

describe('numbers of the command line', () => {
  it('are read', () => {
    expect(['0.5', '.5', '-3', '12'].map(parseNumber)).toEqual([0.5, 0.5, -3, 12]);
    expect(parseCount('30')).toBe(30);
  });

  it('are refused if they are no numbers', () => {
    for (const text of ['abc', '', '1e3', '5%', 'NaN']) expect(() => parseNumber(text)).toThrow('must be a number');
    for (const text of ['abc', '0', '-1', '1.5']) expect(() => parseCount(text)).toThrow('from 1 up');
  });
});
