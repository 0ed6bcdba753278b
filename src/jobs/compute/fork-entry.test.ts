import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { computeFlags } from './fork-entry.ts';

/** Leaves 160 MB of pixels behind twenty times, beside objects that stay. */
const inspecting = `
  const held = Array.from({ length: 2e5 }, (_, i) => ({ i }));
  let images = 0;
  const next = () => {
    for (let i = 0; i < 40; i++) new Float32Array(1e6);
    gc({ type: 'minor' });
    if (++images < 20) setTimeout(next, 2);
    else process.exit(held.length === 2e5 ? 0 : 1);
  };
  next();`;

it('a compute process does not look through its whole heap because of pixels', () => {
  const flags = [...computeFlags, '--expose-gc', '--trace-gc'];
  const { status, stdout } = spawnSync(process.execPath, [...flags, '-e', inspecting], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('Scavenge');
  expect(stdout).not.toContain('Mark-Compact');
});
