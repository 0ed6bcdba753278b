import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DataDirLockedError, lockDataDir } from './data-dir.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kensa-lock-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('lets one holder in at a time', () => {
  const unlock = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(DataDirLockedError);
  unlock();
  lockDataDir(dataDir)();
});

it('is gone with the process that held it, however it ended', async () => {
  const module = new URL('./data-dir.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(({ lockDataDir }) => { lockDataDir(${JSON.stringify(dataDir)}); console.log('locked'); setInterval(() => {}, 1000); })`;
  const holder = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(() => lockDataDir(dataDir)).toThrow(DataDirLockedError);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDataDir(dataDir)();
});
