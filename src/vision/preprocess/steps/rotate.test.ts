import { describe, expect, it } from 'vitest';
import type { PreparedImage } from '../../types.ts';
import { compileSteps } from '../compile-steps.ts';

const image = { width: 3, height: 2, data: Uint8Array.from({ length: 18 }, (_, at) => at) };

async function run(config: Record<string, unknown>, input = image): Promise<PreparedImage> {
  return (await compileSteps([{ name: 'rotate', config }], new Map()))(input);
}

/** The red values, row by row. */
const reds = ({ image: { data } }: PreparedImage): number[] => [...data].filter((_, at) => at % 3 === 0);

describe('rotate', () => {
  it('moves pixels exactly by quarter turns, clockwise', async () => {
    const quarter = await run({ degrees: 90 });
    expect([quarter.image.width, quarter.image.height]).toEqual([2, 3]);
    expect(reds(quarter)).toEqual([9, 0, 12, 3, 15, 6]);
    expect(reds(await run({ degrees: 180 }))).toEqual([15, 12, 9, 6, 3, 0]);
    expect(reds(await run({ degrees: -90 }))).toEqual(reds(await run({ degrees: 270 })));
    expect(quarter.inspected).toBeUndefined();
  });

  it('keeps everything when it expands, the size when not, and does not inspect the corners', async () => {
    const square = { width: 40, height: 40, data: new Uint8Array(4800).fill(200) };
    const grown = await run({ degrees: 45 }, square);
    expect([grown.image.width, grown.image.height]).toEqual([57, 57]);
    const seen = grown.inspected?.reduce((sum, value) => sum + value, 0) ?? 0;
    expect(Math.abs(seen - 1600)).toBeLessThan(30);
    expect(grown.inspected?.[0]).toBe(0);
    const same = await run({ degrees: 45, expand: false }, square);
    expect([same.image.width, same.image.height]).toEqual([40, 40]);
    expect(same.inspected?.[20 * 40 + 20]).toBe(1);
  });

  it('refuses to grow beyond all memory', async () => {
    const line = { width: 40_000, height: 1, data: new Uint8Array(120_000) };
    await expect(run({ degrees: 45 }, line)).rejects.toMatchObject({ code: 'image_too_large' });
    expect((await run({ degrees: 45, expand: false }, line)).image.width).toBe(40_000);
  });
});
