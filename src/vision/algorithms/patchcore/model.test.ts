import { describe, expect, it } from 'vitest';
import { chooseInputLayout } from '../../backbone/input-layout.ts';
import { noCorrections } from '../../corrections/correction-patches.ts';
import { decodeContainer, encodeContainer } from '../../model-file/binary-container.ts';
import { decodePatchcore, encodePatchcore, type PatchcoreState } from './model.ts';

const state: PatchcoreState = {
  layout: chooseInputLayout({ width: 64, height: 64 }, 64, 'off'),
  projection: { rows: 3, columns: 2, data: Float32Array.of(1, 2, 3, 4, 5, 6) },
  bank: { rows: 2, columns: 2, data: Float32Array.of(1, 0, 0, 1) },
  weights: Float32Array.of(1, 0.5),
  shortlist: { members: 2, blockSide: 2 },
  placeFactors: Float32Array.of(1, 0.5, 2, 1),
  neighbours: 1,
  smoothing: 1,
  corrections: noCorrections(2),
};

describe('the file of a PatchCore', () => {
  it('holds all of it', () => {
    expect(decodePatchcore(encodePatchcore(state))).toEqual(state);
  });

  it('holds how images are exposed, and is refused with a brightness that no image has', () => {
    const exposed = (brightness?: number): PatchcoreState => ({
      ...state,
      layout: { ...state.layout, exposure: { target: 110, ...(brightness !== undefined && { brightness }) } },
    });
    expect(decodePatchcore(encodePatchcore(exposed(20.5)))).toEqual(exposed(20.5));
    expect(decodePatchcore(encodePatchcore(exposed()))).toEqual(exposed());
    expect(() => decodePatchcore(encodePatchcore(exposed(-1)))).toThrow(/part "layout" is missing or damaged/);
  });

  it('may have neither weights nor a shortlist nor factors of places', () => {
    const plain = { ...state, weights: undefined, shortlist: undefined, placeFactors: undefined };
    expect(decodePatchcore(encodePatchcore(plain))).toEqual(plain);
  });

  it.each([0, 1.5, -1])('is refused with a shortlist of %d', (members) => {
    const shortlist = { members, blockSide: 1 } as const;
    expect(() => decodePatchcore(encodePatchcore({ ...state, shortlist }))).toThrow(
      /part "candidates" is missing or damaged/,
    );
  });

  const withSearch = (search: object): Uint8Array => {
    const { header, arrays } = decodeContainer('KNSPTCHC', encodePatchcore(state));
    const { candidates: _, byBlocks: __, ...rest } = header;
    return encodeContainer('KNSPTCHC', { header: { ...rest, ...search }, arrays });
  };

  it('has a shortlist for each patch where it does not say that blocks share one', () => {
    expect(decodePatchcore(withSearch({ candidates: 2 })).shortlist).toEqual({ members: 2, blockSide: 1 });
    expect(decodePatchcore(withSearch({ candidates: 2, byBlocks: true })).shortlist).toEqual(state.shortlist);
  });

  it('is refused where a search by blocks is neither true nor false', () => {
    expect(() => decodePatchcore(withSearch({ candidates: 2, byBlocks: 'no' }))).toThrow(
      'part "byBlocks" is missing or damaged',
    );
  });
});
