import { describe, expect, it } from 'vitest';
import type { Matrix } from '../math/matrix.ts';
import { decodeContainer, encodeContainer } from '../model-file/binary-container.ts';
import { type CorrectionPatches, decodeCorrections, encodeCorrections, noCorrections } from './correction-patches.ts';

const matrix = (rows: number): Matrix => ({
  rows,
  columns: 3,
  data: Float32Array.from({ length: rows * 3 }, Math.sqrt),
});
const corrections: CorrectionPatches = {
  good: matrix(2),
  missed: matrix(2),
  missedWeights: Float32Array.of(0.5, 2),
  missedLabels: [null, 7],
  ceiling: 4,
  suppressed: matrix(1),
  suppressedWeights: Float32Array.of(3),
};
const through = (part: Parameters<typeof encodeContainer>[1]) =>
  decodeCorrections(decodeContainer('KNSTEST1', encodeContainer('KNSTEST1', part)), 3);

describe('corrections in a model file', () => {
  it('is the same after it was saved, with and without classes', () => {
    expect(through(encodeCorrections(corrections))).toEqual(corrections);
    const unnamed = { ...corrections, missedLabels: [null, null] };
    expect(through(encodeCorrections(unnamed))).toEqual(unnamed);
    expect(encodeCorrections(unnamed).header.taught).not.toHaveProperty('kinds');
    const onlySuppressed = { ...noCorrections(3), suppressed: matrix(2), suppressedWeights: Float32Array.of(1, 2) };
    expect(through(encodeCorrections(onlySuppressed))).toEqual(onlySuppressed);
    const onlyGood = { ...noCorrections(3), good: matrix(4) };
    expect(through(encodeCorrections(onlyGood))).toEqual(onlyGood);
    expect(encodeCorrections(onlyGood).header.taught).not.toHaveProperty('hushed');
  });

  it('leaves no trace where it is nothing', () => {
    expect(encodeCorrections(noCorrections(3))).toEqual({ header: {}, arrays: {} });
    expect(through({ header: {}, arrays: {} })).toEqual(noCorrections(3));
  });

  it('is not believed where its parts do not fit', () => {
    const { header, arrays } = encodeCorrections(corrections);
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
