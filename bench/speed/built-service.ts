import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKensaClient, type KensaClient } from '../../src/client/kensa-client.ts';
import { type Camera, createCamera } from './camera.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const START_PATIENCE_MS = 60_000;

export interface BuiltService {
  readonly client: KensaClient;
  openCamera(): Promise<Camera>;
  readonly pid: number;
  /** From the start of the process to the first "ready" of /readyz. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + START_PATIENCE_MS; performance.now() < until; await pause(5)) {
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
  }
  throw new Error(`The service was not ready within ${START_PATIENCE_MS / 1000} s.`);
}

/** Starts the compiled `kensa serve` on loopback. */
export async function startBuiltService(dataDir: string, workers: number): Promise<BuiltService> {
  const port = await freePort();
  const secret = { KENSA_CLIENT_ID: 'bench', KENSA_CLIENT_SECRET: 'the secret of the bench' };
  const settings = {
    PORT: String(port),
    KENSA_DATA_DIR: dataDir,
    KENSA_WORKERS: String(workers),
    KENSA_LOG_LEVEL: 'warn',
  };
  const started = performance.now();
  const child = spawn(process.execPath, ['dist/cli/kensa.js', 'serve'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings, ...secret },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url, child);
  const readyMs = performance.now() - started;
  let token: Promise<string> | undefined;
  const logIn = async (): Promise<string> => {
    const answer = await fetch(`${url}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: secret.KENSA_CLIENT_ID,
        client_secret: secret.KENSA_CLIENT_SECRET,
        grant_type: 'client_credentials',
      }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  return {
    client: createKensaClient({
      baseUrl: url,
      clientId: secret.KENSA_CLIENT_ID,
      clientSecret: secret.KENSA_CLIENT_SECRET,
    }),
    async openCamera() {
      token ??= logIn();
      return createCamera(url, await token);
    },
    pid: child.pid ?? 0,
    readyMs,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
