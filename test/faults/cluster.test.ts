import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KensaError } from '../../src/client/kensa-client.ts';
import { startS3, type TestS3 } from '../support/s3-server.ts';
import { type SpawnedService, spawnedClient, spawnService, spawnWorker } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { expectWhole, openPlant, type Plant, work } from './plant.ts';

const goneSeconds = Number(process.env['KENSA_FAULT_GONE_SECONDS'] ?? 5);
if (!findPostgres()) console.warn('PostgreSQL is not installed: faults of many machines are not tested.');

describe.skipIf(!findPostgres())('a server and a worker on PostgreSQL and S3', () => {
  let postgres: TestPostgres;
  let s3: TestS3;
  let folder: string;
  let settings: Record<string, string>;
  let service: SpawnedService;
  let worker: Awaited<ReturnType<typeof spawnWorker>>;
  let plant: Plant;

  const startWorker = async (): Promise<void> => {
    worker = await spawnWorker({ ...settings, KENSA_DATA_DIR: join(folder, 'worker') });
  };

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    s3 = await startS3();
    folder = await mkdtemp(join(tmpdir(), 'kensa-cluster-'));
    settings = { DATABASE_URL: await postgres.createDatabase(), BLOB_URL: s3.url };
    service = await spawnService({ ...settings, KENSA_DATA_DIR: join(folder, 'server') });
    await startWorker();
    plant = await openPlant(service);
  });
  afterAll(async () => {
    await service.stop();
    worker.kill('SIGTERM');
    await postgres.stop();
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('lose nothing when the worker is killed in the middle: the other does its work, once', async () => {
    const load = work(plant, service.client, 4, 3);
    await pause(1500);
    worker.kill('SIGKILL');
    await load;
    await expectWhole(plant, service);
    await startWorker();
  });

  it(`answer 503 in words while the database is gone for ${goneSeconds} s, and go on by themselves`, async () => {
    const load = work(plant, service.client, 3, 11);
    await pause(1000);
    await postgres.crash();
    await load;
    const answer = await service.client.request('GET', '/api/v1/items/?item_type=prediction').then(
      () => expect.unreachable('there was no database to answer from'),
      (error: unknown) => error as KensaError,
    );
    expect(answer).toMatchObject({ status: 503, message: expect.stringMatching(/storage cannot be used/) });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await pause(goneSeconds * 1000);
    await postgres.restart();
    for (const deadline = Date.now() + 30_000; (await fetch(`${service.url}/readyz`)).status !== 200; ) {
      if (Date.now() > deadline) throw new Error('The service is not ready again.');
      await pause(100);
    }
    await work(plant, service.client, 2, 5);
    await expectWhole(plant, service);
    expect(service.process.exitCode).toBeNull();
    expect(worker.exitCode).toBeNull();
  });

  it('fetch a model once per process, however many images it judges', async () => {
    const before = s3.requests.length;
    await work(plant, service.client, 3, 2);
    await expectWhole(plant, service);
    const fetched = s3.requests.slice(before).filter((line) => line.startsWith('GET'));
    const counts = new Map<string, number>();
    for (const line of fetched) counts.set(line, (counts.get(line) ?? 0) + 1);
    // Each image is fetched for its own prediction; the model and its network were fetched before.
    const images = new Set(plant.images.map((image) => image.bytes.length));
    const models = [...s3.objects].filter(([, { bytes }]) => bytes.length > 300_000 && !images.has(bytes.length));
    expect(models.length).toBeGreaterThan(0);
    for (const [key] of models) expect(counts.get(`GET /kensa/${key}`) ?? 0).toBeLessThanOrEqual(1);
  });

  it('refuse a wrong secret as they do on one machine', async () => {
    const body = JSON.stringify({
      client_id: spawnedClient.clientId,
      client_secret: 'wrong',
      grant_type: 'client_credentials',
    });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${service.url}/api/auth/token`, { method: 'POST', headers, body })).status).toBe(401);
  });

  it('end when they are told to, though the database is gone', async () => {
    await postgres.crash();
    const { process: server } = service;
    const ended = Promise.all([once(worker, 'exit'), once(server, 'exit')]);
    worker.kill('SIGTERM');
    server.kill('SIGTERM');
    await ended;
    await postgres.restart();
  }, 60_000);
});
