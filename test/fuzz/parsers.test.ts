import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { fuzz } from './fuzz.ts';
import { fuzzTargets } from './targets.ts';

// `npm run fuzz` gives each a million.
it.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s: whatever comes is read or refused in words',
  async (_name, target) => {
    const inputs = Math.ceil(4000 / target.slowness);
    expect(await fuzz(target, inputs, 1)).toMatchObject({ inputs, defects: [] });
  },
);

it('a parser that breaks is found, with the seeds of the inputs that break it', async () => {
  const broken = {
    name: 'broken',
    slowness: 1,
    feed: (random: { integer(below: number): number }) => {
      const kind = random.integer(3);
      if (kind === 0) throw new AppError('credentials-invalid');
      if (kind === 1) throw new RangeError('out of bounds');
    },
  };
  const { inputs, accepted, defects } = await fuzz(broken, 1000, 1);
  expect(defects).toHaveLength(5);
  expect(accepted).toBeGreaterThan(0);
  expect(inputs).toBeGreaterThan(accepted + defects.length);
  for (const defect of defects) {
    const seed = Number(/^broken, seed (\d+): RangeError: out of bounds$/.exec(defect)?.[1]);
    expect((await fuzz(broken, 1, seed)).defects).toEqual([defect]);
  }
});
