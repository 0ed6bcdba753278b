import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { startService } from './main.ts';

describe('a start that cannot succeed', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kensa-start-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const start = (settings: Record<string, string>) =>
    startService(loadConfig({ KENSA_DATA_DIR: directory, KENSA_LOG_LEVEL: 'silent', KENSA_WORKERS: '1', ...settings }));

  it('names the port that is in use and the setting for another', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await expect(start({ PORT: String(port) })).rejects.toMatchObject({
        name: 'ConfigError',
        message: new RegExp(`cannot listen at port ${port} of 127.0.0.1: .*EADDRINUSE.* set PORT`),
      });
    } finally {
      other.close();
    }
  });

  it('names the data folder that cannot be one', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(start({ KENSA_DATA_DIR: file })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(`The data folder ${file} cannot be used: `),
    });
  });
});
