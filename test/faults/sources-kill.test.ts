import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/vision/math/random.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendByFtp } from '../support/ftp-client.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { eventually, stripes } from '../support/trained-model.ts';

const kills = Number(process.env['KENSA_FAULT_KILLS'] ?? 20);

const databases = ['SQLite', ...(findPostgres() ? ['PostgreSQL'] : [])];

describe.each(databases)('on %s', (database) => {
  let postgres: TestPostgres | undefined;
  let folder: string;
  let watched: string;
  let service: SpawnedService;
  let settings: Record<string, string>;
  let ftp: { port: number; user: string; password: string };
  let images: Buffer[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-sources-'));
    watched = join(folder, 'watched');
    await mkdir(watched);
    const port = await findFreePort();
    postgres = database === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined;
    settings = {
      KENSA_DATA_DIR: join(folder, 'data'),
      KENSA_FOLDER_ROOTS: folder,
      KENSA_FTP_PORT: String(port),
      KENSA_FTP_PASSIVE_PORTS: '43000-43199',
      KENSA_QUEUE_LIMIT: '100',
      ...(postgres ? { DATABASE_URL: await postgres.createDatabase() } : {}),
    };
    service = await spawnService(settings);
    images = await Promise.all(Array.from({ length: 8 }, (_, phase) => stripes(phase)));
    const files = images.slice(0, 4).map((bytes, index) => ({ name: `${index}.png`, bytes }));
    await service.client.uploadItems(files, { training: 'true', good: 'true' });
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const { model_id } = await service.client.request<{ model_id: string }>(
      'POST',
      '/api/v1/algorithms/patchcore/train',
      { name: 'sources', override_params },
    );
    await service.client.waitForModel(model_id);
    const make = (name: string, source: object, outputs: object[] = []) =>
      service.client.request<{ ftp_login?: { user: string; password: string } }>('POST', '/api/v1/stations/', {
        name,
        model_id,
        source,
        outputs,
      });
    await make('folder', { kind: 'folder', path: watched, after: 'delete' }, [{ kind: 'sidecar' }]);
    const { ftp_login: login } = await make('ftp', { kind: 'ftp' });
    if (!login) throw new Error('The station has no login.');
    ftp = { port, ...login };
  });
  afterAll(async () => {
    await service.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** An image like no other: what follows the end of a PNG is no part of its picture. */
  const imageOf = (name: string): Buffer =>
    Buffer.concat([images[name.length % images.length] ?? Buffer.alloc(0), Buffer.from(name)]);
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  it(`${kills} kill -9 under load lose no image of a folder or an FTP client, and none is stored twice`, async () => {
    const random = createRandom(7);
    /** Hashes of the images that were handed over: put into the folder, or acknowledged by 226. */
    const handed = new Set<string>();
    let working = true;
    let filled = 0;
    const fillFolder = async (): Promise<void> => {
      for (let number = 0; working; number++) {
        filled = number + 1;
        const bytes = imageOf(`folder ${number}`);
        await writeFile(join(watched, `.${number}`), bytes);
        await rename(join(watched, `.${number}`), join(watched, `${number}.png`));
        handed.add(hashOf(bytes));
        await pause(60);
      }
    };
    const send = async (line: number): Promise<void> => {
      for (let number = 0; working; number++) {
        const bytes = imageOf(`ftp ${line} ${number}`);
        // As a camera does: again until it is told that the image is stored.
        while (!(await sendByFtp(ftp, `${line}-${number}.png`, bytes))) await pause(100);
        handed.add(hashOf(bytes));
      }
    };
    const load = Promise.all([fillFolder(), send(1), send(2)]);
    for (let turn = 0; turn < kills; turn++) {
      await pause(500 + 2000 * random.next());
      await service.kill();
      service = await spawnService(settings);
    }
    await pause(1000);
    working = false;
    await load;
    const stored = await readStored();
    expect(await listImages()).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...handed].filter((hash) => !stored.includes(hash))).toEqual([]);
    expect(stored.length).toBe(handed.size);
    expect(handed.size).toBeGreaterThan(10 * kills);
    // Each image of the folder has its result beside it, whole.
    const results = await eventually(
      async () => (await readdir(watched)).filter((name) => !name.startsWith('.')),
      ({ length }) => length === filled,
    );
    for (const name of results)
      expect(JSON.parse(await readFile(join(watched, name), 'utf8'))).toMatchObject({ name: name.split('.')[0] });
    console.info(`${handed.size} images over ${kills} kills`);
  }, 900_000);

  it('a kill -9 after the reply to an FTP client, which has not read it, has its image stored once', async () => {
    const bytes = imageOf('unread');
    const stored = async (): Promise<number> => {
      const path = '/api/v1/items/?item_type=prediction&name=unread';
      return (await service.client.request<{ total: number }>('GET', path)).total;
    };
    const beforeReply = async (): Promise<boolean> => {
      await eventually(stored, (total) => total === 1);
      // The reply is on its way, and the service has time to forget what it has stored.
      await pause(3000);
      await service.kill();
      return false;
    };
    expect(await sendByFtp(ftp, 'unread.png', bytes, { beforeReply })).toBe(false);
    service = await spawnService(settings);
    expect(await sendByFtp(ftp, 'unread.png', bytes)).toBe(true);
    expect(await stored()).toBe(1);
  });

  /** Images that wait in the folder. */
  const listImages = async (): Promise<string[]> => (await readdir(watched)).filter((name) => name.endsWith('.png'));

  /** Hashes of the images of all items, once every item has its verdict and the folder is empty. */
  async function readStored(): Promise<string[]> {
    for (const deadline = Date.now() + 240_000; ; await pause(500)) {
      // An image that is stored while the pages are read would move an item to the next page, and show it twice.
      const isEmpty = (await listImages()).length === 0;
      const items: { status: string; images: { url: string }[] }[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const path = `/api/v1/items/?item_type=prediction&count=200&page=${page}`;
        const answer = await service.client.request<{ items: typeof items; end_page: number }>('GET', path);
        items.push(...answer.items);
        last = answer.end_page;
      }
      const isOver = isEmpty && items.every(({ status }) => status === 'done');
      if (!isOver && Date.now() < deadline) continue;
      expect(items.filter(({ status }) => status !== 'done')).toEqual([]);
      // Images are named by their hash.
      return items.map((item) => /([0-9a-f]{64})/.exec(item.images[0]?.url ?? '')?.[1] ?? '');
    }
  }
});
