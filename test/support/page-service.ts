import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { createKensaClient, type KensaClient } from '../../src/client/kensa-client.ts';
import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';

export const pageClient = { clientId: 'inspector', clientSecret: 'a secret of the tests' };

export const pagePerson = { name: 'Ada', password: 'a password of the tests' };

export interface PageService {
  readonly url: string;
  readonly dataDir: string;
  readonly client: KensaClient;
  stop(): Promise<void>;
  /** Stops and starts again at the same address, with another secret: every session and token of the client is over then. */
  restart(secret: string): Promise<void>;
}

/** The whole service on a free port and a folder of its own, with the page as it is built. */
export async function startPageService(settings: Readonly<Record<string, string>> = {}): Promise<PageService> {
  buildPage();
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-page-'));
  const start = (port: string, secret: string) =>
    startService(
      loadConfig({
        PORT: port,
        KENSA_DATA_DIR: dataDir,
        KENSA_LOG_LEVEL: 'silent',
        KENSA_LOGIN_ATTEMPTS: '1000',
        KENSA_CLIENT_ID: pageClient.clientId,
        KENSA_CLIENT_SECRET: secret,
        ...settings,
      }),
    );
  let service = await start('0', pageClient.clientSecret);
  const { url } = service;
  const client = createKensaClient({ baseUrl: url, ...pageClient });
  // Without anybody, the page asks for the first account.
  await client.request('POST', '/api/v1/users', {
    name: pagePerson.name,
    role: 'admin',
    password: pagePerson.password,
  });
  return {
    url,
    dataDir,
    client,
    async restart(secret) {
      await service.stop();
      service = await start(new URL(url).port, secret);
    },
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Builds the page if a source is newer. `npm test` builds first, so no test builds here: a build would remove files that the
 * page of another test still has to load.
 */
function buildPage(): void {
  const root = new URL('../..', import.meta.url).pathname;
  // The test runner sets one that is not that of a build.
  const { NODE_ENV: _, ...env } = process.env;
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: root, stdio: 'inherit', env });
}

const places = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (name) => `/usr/bin/${name}`,
);

/** Undefined where no Chromium is installed. */
export function findChromium(): string | undefined {
  return places.find((path) => existsSync(path));
}

export function launchChromium(executablePath: string): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
}
