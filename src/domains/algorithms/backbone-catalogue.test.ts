import { describe, expect, it } from 'vitest';
import { createBackboneCatalogue, prefersEightBits } from './backbone-catalogue.ts';

describe('createBackboneCatalogue', () => {
  it('takes for auto the network that is fast on this processor', async () => {
    const choose = async (fast: boolean) =>
      (await createBackboneCatalogue(undefined, () => fast).getBackbone('auto')).id;
    expect(await choose(true)).toBe('kensa-int8');
    expect(await choose(false)).toBe('kensa');
  });

  it('names the known networks if a name is not known', async () => {
    await expect(createBackboneCatalogue(undefined).getBackbone('nothing')).rejects.toMatchObject({
      code: 'invalid-request',
      problems: [{ key: 'backbone' }],
      message: expect.stringMatching(/Known: auto, kensa, kensa-int8/),
    });
  });
});

describe('prefersEightBits', () => {
  it('looks for dot products among the flags', () => {
    const processor = (flags: string) =>
      `model name : Some processor\nflags\t\t: fpu sse ${flags} xsave\nbugs : avx_vnni\n`;
    expect(prefersEightBits(processor('avx512f avx512_vnni'))).toBe(true);
    expect(prefersEightBits(processor('avx2 avx_vnni'))).toBe(true);
    expect(prefersEightBits(processor('avx2 avx512f'))).toBe(false);
    expect(prefersEightBits('')).toBe(false);
  });
});
