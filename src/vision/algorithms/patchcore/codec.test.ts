import { describe, expect, it } from 'vitest';
import { chooseInputLayout } from '../../backbone/input-layout.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { decodePatchcore, encodePatchcore, type PatchcoreState } from './codec.ts';

const state: PatchcoreState = {
  layout: chooseInputLayout({ width: 64, height: 64 }, 64, 'off'),
  projection: { rows: 3, columns: 2, data: Float32Array.of(1, 2, 3, 4, 5, 6) },
  bank: { rows: 2, columns: 2, data: Float32Array.of(1, 0, 0, 1) },
  weights: Float32Array.of(1, 0.5),
  candidates: 2,
  byBlocks: true,
  neighbours: 1,
  smoothing: 1,
  corrections: noCorrections(2),
};

describe('the file of a PatchCore', () => {
  it('holds all of it', () => {
    expect(decodePatchcore(encodePatchcore(state))).toEqual(state);
  });

  it('may have neither weights nor candidates, as older ones', () => {
    const older = { ...state, weights: undefined, candidates: undefined, byBlocks: undefined };
    expect(decodePatchcore(encodePatchcore(older))).toEqual(older);
  });

  it.each([0, 1.5, -1])('is refused with %d candidates', (candidates) => {
    expect(() => decodePatchcore(encodePatchcore({ ...state, candidates }))).toThrow(/looks at .* members/);
  });

  it('is refused where a search by blocks is neither true nor false', () => {
    const wrong = { ...state, byBlocks: 'no' as unknown as boolean };
    expect(() => decodePatchcore(encodePatchcore(wrong))).toThrow('"no" of a search by blocks');
  });
});
