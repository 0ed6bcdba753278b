import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { decodeContainer, encodeContainer } from '../model-file/binary-container.ts';
import { decodeTaught, encodeTaught } from './taught-codec.ts';
import { nothingTaught, type TaughtPatches } from './taught-patches.ts';

const matrix = (rows: number): Matrix => ({
  rows,
  columns: 3,
  data: Float32Array.from({ length: rows * 3 }, Math.sqrt),
});
const taught: TaughtPatches = {
  ...{ good: matrix(2), bad: matrix(2), weights: Float32Array.of(0.5, 2) },
  ...{ kinds: [null, 7], ceiling: 4, hushed: matrix(1), hushWeights: Float32Array.of(3) },
};
const through = (part: Parameters<typeof encodeContainer>[1]) =>
  decodeTaught(decodeContainer('KNSTEST1', encodeContainer('KNSTEST1', part)), 3);

describe('what was taught', () => {
  it('is the same after it was saved, with and without classes', () => {
    expect(through(encodeTaught(taught))).toEqual(taught);
    const unnamed = { ...taught, kinds: [null, null] };
    expect(through(encodeTaught(unnamed))).toEqual(unnamed);
    expect(encodeTaught(unnamed).header.taught).not.toHaveProperty('kinds');
    const onlyHushed = { ...nothingTaught(3), hushed: matrix(2), hushWeights: Float32Array.of(1, 2) };
    expect(through(encodeTaught(onlyHushed))).toEqual(onlyHushed);
    const onlyGood = { ...nothingTaught(3), good: matrix(4) };
    expect(through(encodeTaught(onlyGood))).toEqual(onlyGood);
    expect(encodeTaught(onlyGood).header.taught).not.toHaveProperty('hushed');
  });

  it('leaves no trace where it is nothing', () => {
    expect(encodeTaught(nothingTaught(3))).toEqual({ header: {}, arrays: {} });
    expect(through({ header: {}, arrays: {} })).toEqual(nothingTaught(3));
  });

  it('is not believed where its parts do not fit', () => {
    const { header, arrays } = encodeTaught(taught);
    const broken = [
      { header, arrays: { ...arrays, taught_bad: new Float32Array(5) } },
      { header, arrays: { taught_good: new Float32Array(6) } },
      ...[
        { hushed: 2 },
        { hushed: '1' },
        { good: '2' },
        { kinds: [7] },
        { kinds: ['7', null] },
        { kinds: 'none' },
        { good: 1 },
        { ceiling: -1 },
      ].map((change) => ({
        header: { taught: { ...header.taught, ...change } },
        arrays,
      })),
    ];
    for (const part of broken) expect(() => through(part)).toThrow('Import it again');
  });
});
