import { describe, expect, it } from 'vitest';
import { planUpload } from './upload-plan.ts';

const chosen = (path: string, bytes = 1000) => {
  const name = path.split('/').at(-1) ?? path;
  return { path, file: { name, size: bytes } as File };
};
const names = (batches: ReturnType<typeof planUpload>) => batches.map((batch) => batch.files.map((file) => file.name));

describe('planUpload', () => {
  it('sends a few at a time in the order that a person counts in', () => {
    const files = Array.from({ length: 12 }, (_, index) => chosen(`shot ${index + 1}.jpg`)).reverse();
    const plan = names(planUpload(files, false));
    expect(plan.map((batch) => batch.length)).toEqual([10, 2]);
    expect(plan[0]?.slice(0, 2)).toEqual(['shot 1.jpg', 'shot 2.jpg']);
    expect(plan[1]).toEqual(['shot 11.jpg', 'shot 12.jpg']);
  });

  it('keeps requests small in bytes, and sends a large file alone', () => {
    const plan = planUpload([chosen('a.tif', 60e6), chosen('b.jpg', 1e6), chosen('c.jpg', 50e6)], false);
    expect(names(plan)).toEqual([['a.tif'], ['b.jpg'], ['c.jpg']]);
  });

  it('takes folders for products only when told to; their names travel along then', () => {
    const files = [chosen('lot/p2/top.png'), chosen('lot/p1/side.png'), chosen('lot/p1/top.png'), chosen('loose.png')];
    expect(names(planUpload(files, false))).toEqual([['loose.png', 'side.png', 'top.png', 'top.png']]);
    const grouped = planUpload(files, true);
    expect(names(grouped)).toEqual([['lot/p1/side.png', 'lot/p1/top.png'], ['lot/p2/top.png'], ['loose.png']]);
    expect(grouped.map((batch) => batch.separable)).toEqual([false, false, true]);
  });
});
