import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnKensa } from '../support/spawn-service.ts';

it('the demo leaves nothing behind where it is interrupted in the middle', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kensa-interrupted-'));
  const left = async () => (await readdir(directory)).filter((name) => name.startsWith('kensa-demo-'));
  const demo = spawnKensa(['demo', '--once'], { TMPDIR: directory });
  try {
    const exited = once(demo, 'exit');
    await new Promise<void>((resolve) => {
      let output = '';
      demo.stderr.on('data', (text) => {
        output += String(text);
        if (output.includes('good samples')) resolve();
      });
    });
    expect(await left()).toHaveLength(1);
    demo.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    expect(await left()).toEqual([]);
  } finally {
    demo.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
});
