import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { composeKensa } from '../../src/composition.ts';
import { loadConfig } from '../../src/config.ts';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { createSharedDatabase } from './postgres-setup.ts';
import { startS3 } from './s3-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  // The tests look into answers of every shape; the schemas are checked elsewhere.
  readonly body: Record<string, unknown> & { data?: never; errors?: never };
  readonly bytes: Buffer;
}

export interface TestService {
  readonly app: FastifyInstance;
  readonly db: Db;
  readonly dataDir: string;
  readonly token: string;
  readonly ftpPort: number;
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; token?: string | null },
  ): Promise<Answer>;
  upload(files: readonly { name: string; bytes: Uint8Array }[], fields: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
}

export const testClient = { clientId: 'tester', secret: 'a secret of the tests' };

/** Where KENSA_TEST_BACKEND says so: an empty PostgreSQL database and an empty bucket; else the embedded engines. */
async function openTestBackend(): Promise<{ settings: Record<string, string>; close(): Promise<void> }> {
  if (process.env['KENSA_TEST_BACKEND'] !== 'postgres') return { settings: {}, close: async () => undefined };
  const s3 = await startS3();
  return { settings: { DATABASE_URL: await createSharedDatabase(), BLOB_URL: s3.url }, close: () => s3.stop() };
}

/** What a test left in its data folder is there again when it starts a service on the same folder. */
const backendOf = new Map<string, Awaited<ReturnType<typeof openTestBackend>>>();

/** The whole service with its real parts on a folder of its own; requests are injected, no port is opened. */
export async function startTestService(
  environment: Record<string, string> = {},
  options: { dataDir?: string; work?: boolean } = {},
): Promise<TestService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kensa-test-')));
  const backend = backendOf.get(dataDir) ?? (await openTestBackend());
  backendOf.set(dataDir, backend);
  const config = loadConfig({
    KENSA_WORKERS: '1',
    KENSA_LOG_LEVEL: process.env['KENSA_LOG_LEVEL'] ?? 'silent',
    KENSA_LOGIN_ATTEMPTS: '1000',
    ...backend.settings,
    ...environment,
    KENSA_DATA_DIR: dataDir,
  });
  const log = pino({ level: config.KENSA_LOG_LEVEL });
  const storage = openStorage(config);
  const { db } = storage;
  await migrate(db);
  const kensa = await composeKensa({ config, storage, log, version: '0.0.0-test' });
  await kensa.auth.addClient({ ...testClient, name: 'tests' });
  await kensa.app.ready();
  if (options.work !== false) await kensa.start();
  const { accessToken } = await kensa.auth.login(testClient.clientId, testClient.secret);

  const service: TestService = {
    app: kensa.app,
    db,
    dataDir,
    token: accessToken,
    ftpPort: kensa.ftpPort() ?? 0,
    async call(method, path, { body, headers = {}, token = accessToken } = {}) {
      const response = await kensa.app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return readAnswer(response);
    },
    async upload(files, fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const file of files) form.append('files', new Blob([new Uint8Array(file.bytes)]), file.name);
      const request = new Request('http://localhost/', { method: 'POST', body: form });
      const payload = Buffer.from(await request.arrayBuffer());
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': request.headers.get('content-type') ?? '',
      };
      return readAnswer(await kensa.app.inject({ method: 'POST', url: '/api/v1/items/', headers, payload }));
    },
    async stop() {
      await kensa.stop({ graceMs: 10_000 });
      await storage.close();
      if (options.dataDir !== undefined) return;
      await backend.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}

function readAnswer(response: { statusCode: number; headers: object; rawPayload: Buffer }): Answer {
  const headers = { ...response.headers } as Record<string, unknown>;
  const json = String(headers['content-type'] ?? '').includes('application/json');
  const body = json ? (JSON.parse(response.rawPayload.toString('utf8')) as Answer['body']) : {};
  return { status: response.statusCode, headers, body, bytes: response.rawPayload };
}
