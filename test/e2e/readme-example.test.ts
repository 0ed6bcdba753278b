import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';
import { stripes } from '../support/trained-model.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const clientModule = new URL('../../src/client/kensa-client.ts', import.meta.url).href;

it('runs the example of the README as it stands there', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /<!-- client-example -->\n```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(example).toContain("from 'kensa/client'");
  const folder = await mkdtemp(join(tmpdir(), 'kensa-readme-'));
  const credentials = { KENSA_CLIENT_ID: 'reader', KENSA_CLIENT_SECRET: 'secret of the reader' };
  const settings = { ...credentials, PORT: '0', KENSA_WORKERS: '1', KENSA_LOG_LEVEL: 'silent' };
  const service = await startService(loadConfig({ ...settings, KENSA_DATA_DIR: join(folder, 'data') }));
  try {
    for (const name of ['good-1', 'good-2', 'good-3', 'next']) {
      await writeFile(join(folder, `${name}.png`), await stripes(name.length));
    }
    const file = join(folder, 'example.mts');
    await writeFile(file, example.replace("'kensa/client'", JSON.stringify(clientModule)));
    const env = { ...process.env, ...credentials, KENSA_URL: service.url };
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, file], { cwd: folder, env });
    expect(stdout).toMatch(/^next (OK|NG) 0\.\d{6}\n$/);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
