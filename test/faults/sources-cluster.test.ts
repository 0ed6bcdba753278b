import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startS3, type TestS3 } from '../support/s3-server.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { eventually, stripes } from '../support/trained-model.ts';
import { trainStripes } from './plant.ts';

describe.skipIf(!findPostgres())('two servers on one database', () => {
  let folder: string;
  let watched: string;
  let postgres: TestPostgres;
  let s3: TestS3;
  let servers: SpawnedService[];
  let stationId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-two-'));
    watched = join(folder, 'watched');
    await mkdir(watched);
    postgres = await startPostgres({ durable: true });
    s3 = await startS3();
    const shared = { DATABASE_URL: await postgres.createDatabase(), BLOB_URL: s3.url, KENSA_FOLDER_ROOTS: folder };
    servers = [];
    for (const name of ['one', 'two'])
      servers.push(await spawnService({ ...shared, KENSA_DATA_DIR: join(folder, name) }));
    const { client } = first();
    const model_id = await trainStripes(client);
    const source = { kind: 'folder', path: watched, after: 'keep' };
    const made = await client.request<{ station_id: string }>('POST', '/api/v1/stations/', {
      name: 'shared',
      model_id,
      source,
    });
    stationId = made.station_id;
  });
  afterAll(async () => {
    for (const server of servers) await server.kill();
    await postgres.stop();
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const first = (): SpawnedService => {
    const [server] = servers;
    if (!server) throw new Error('No server runs.');
    return server;
  };
  const put = async (from: number, count: number): Promise<void> => {
    for (let number = from; number < from + count; number++) {
      await writeFile(join(watched, '.new'), Buffer.concat([await stripes(number % 8), Buffer.from(`${number}`)]));
      await rename(join(watched, '.new'), join(watched, `${number}.png`));
    }
  };
  const count = async (server: SpawnedService): Promise<number> => {
    const path = `/api/v1/items/?item_type=prediction&station_id=${stationId}`;
    return (await server.client.request<{ total: number }>('GET', path)).total;
  };
  const isReady = async (server: SpawnedService): Promise<boolean> => {
    const station = await server.client.request<{ state: { ready: boolean } }>('GET', `/api/v1/stations/${stationId}`);
    return station.state.ready;
  };

  it('take each image of a folder once; both say how it is; one goes on when the other dies', async () => {
    for (const server of servers)
      await eventually(
        () => isReady(server),
        (ready) => ready,
      );
    await put(0, 40);
    await eventually(
      () => count(first()),
      (total) => total >= 40,
    );
    // The server that serves the folder has the figures of it.
    const serves = async (server: SpawnedService): Promise<boolean> =>
      (await (await fetch(`${server.url}/metrics`)).text()).includes('kensa_source_ready{');
    const [one, two] = servers;
    if (!one || !two) throw new Error('Two servers are needed.');
    expect([await serves(one), await serves(two)].sort()).toEqual([false, true]);
    const dying = (await serves(one)) ? one : two;
    const other = dying === one ? two : one;
    await put(40, 20);
    await dying.kill();
    await put(60, 20);
    await eventually(
      () => count(other),
      (total) => total >= 80,
      60_000,
    );
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await count(other)).toBe(80);
    expect(await serves(other)).toBe(true);
    expect(await readdir(watched)).toHaveLength(80);
  });
});
