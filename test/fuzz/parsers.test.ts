import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { fuzzTargets } from './targets.ts';

// `npm run fuzz` gives each a million.
it.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s: whatever comes is read or refused in words',
  async (_name, target) => {
    const report = await fuzz(target, Math.ceil(4000 / target.slowness), 1);
    expect(report.defects).toEqual([]);
    expect(report.accepted).toBeLessThan(report.inputs + 1);
  },
);
