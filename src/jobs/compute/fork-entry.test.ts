import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { computeFlags } from './fork-entry.ts';

/** A hundred images that leave 12 MB of pixels each behind, beside objects that stay. */
const inspecting = `
  const held = Array.from({ length: 2e5 }, (_, i) => ({ i }));
  const last = [];
  let images = 0;
  const next = () => {
    gc({ type: 'minor' });
    last.push(Array.from({ length: 3 }, () => new Float32Array(1e6)));
    if (last.length > 2) last.shift();
    if (++images < 100) setTimeout(next, 2);
    else process.exit(held.length === 2e5 ? 0 : 1);
  };
  next();`;

function countCollections(flags: readonly string[]): number {
  const command = [...flags, '--expose-gc', '--trace-gc', '-e', inspecting];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.match(/Mark-Compact/g)?.length ?? 0;
}

it('a compute process seldom looks through its whole heap because of pixels', () => {
  // 15 instead of 30 to 39.
  expect(countCollections(computeFlags)).toBeLessThan(0.75 * countCollections([]));
});
