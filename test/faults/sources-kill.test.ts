import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/vision/math/random.ts';
import { hasProgram } from '../support/find-program.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendByFtp } from '../support/ftp-client.ts';
import { connectModbus } from '../support/modbus-controller.ts';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type SimulatedCamera, startCamera } from '../support/simulated-camera.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { eventually, stripes } from '../support/trained-model.ts';

const kills = Number(process.env['KENSA_FAULT_KILLS'] ?? 20);

const canTrigger = hasProgram('ffmpeg') && hasMosquitto;
const ways = ['request', 'message', 'coil'] as const;
const unit = 5;
/** Reason code of MQTT 5. */
const nobodyListens = 16;

interface StoredItem {
  item_id: string;
  status: string;
  serial?: string;
  images: { url: string }[];
}

const databases = ['SQLite', ...(findPostgres() ? ['PostgreSQL'] : [])];

describe.each(databases)('on %s', (database) => {
  let postgres: TestPostgres | undefined;
  let folder: string;
  let watched: string;
  let service: SpawnedService;
  let settings: Record<string, string>;
  let ftp: { port: number; user: string; password: string };
  let images: Buffer[];
  let broker: TestBroker | undefined;
  let camera: SimulatedCamera | undefined;
  let modbusPort: number;
  const stationIds = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-sources-'));
    watched = join(folder, 'watched');
    await mkdir(watched);
    const port = await findFreePort();
    modbusPort = await findFreePort();
    broker = canTrigger ? await startBroker() : undefined;
    postgres = database === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined;
    settings = {
      KENSA_DATA_DIR: join(folder, 'data'),
      KENSA_FOLDER_ROOTS: folder,
      KENSA_FTP_PORT: String(port),
      KENSA_FTP_PASSIVE_PORTS: '43000-43199',
      KENSA_QUEUE_LIMIT: '100',
      KENSA_MODBUS_PORT: String(modbusPort),
      ...(broker ? { KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
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
    const make = async (name: string, source: object, outputs: object[] = []) => {
      const made = await service.client.request<{
        station_id: string;
        ftp_login?: { user: string; password: string };
      }>('POST', '/api/v1/stations/', { name, model_id, source, outputs });
      stationIds.set(name, made.station_id);
      return made;
    };
    if (broker) {
      camera = await startCamera(Buffer.alloc(0));
      const jpeg = await sharp(images[1]).jpeg({ quality: 95 }).toBuffer();
      let number = 0;
      // No two of its images are the same: each has a comment of its own.
      Object.defineProperty(camera, 'image', { get: () => withComment(jpeg, `image ${++number}`) });
      const source = { kind: 'camera', url: camera.url, trigger: 'request' };
      await make('request', source);
      await make('message', source, [{ kind: 'mqtt' }]);
      await make('coil', source, [{ kind: 'modbus', unit, timeout_ms: 3000 }]);
    }
    await make('folder', { kind: 'folder', path: watched, after: 'delete' }, [{ kind: 'sidecar' }]);
    const { ftp_login: login } = await make('ftp', { kind: 'ftp' });
    if (!login) throw new Error('The station has no login.');
    ftp = { port, ...login };
  });
  afterAll(async () => {
    await service.stop();
    await camera?.close();
    await broker?.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** An image like no other: what follows the end of a PNG is no part of its picture. */
  const imageOf = (name: string): Buffer =>
    Buffer.concat([images[name.length % images.length] ?? Buffer.alloc(0), Buffer.from(name)]);
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  it(`${kills} kill -9 under load lose no image of a folder, an FTP client or a camera, and none is stored twice`, async () => {
    const random = createRandom(7);
    /** Hashes of the images that were handed over: put into the folder, or acknowledged by 226. */
    const handed = new Set<string>();
    let working = true;
    const isWorking = (): boolean => working;
    let filled = 0;
    const fillFolder = async (): Promise<void> => {
      for (let number = 0; working; number++) {
        filled = number + 1;
        const bytes = imageOf(`folder ${number}`);
        await writeFile(join(watched, `.${number}`), bytes);
        await rename(join(watched, `.${number}`), join(watched, `${number}.png`));
        handed.add(hashOf(bytes));
        // Where nobody serves the folder, it fills up to here.
        while (working && (await listImages()).length > 100) await pause(100);
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
    const cells = canTrigger ? await startTriggers(isWorking) : undefined;
    const load = Promise.all([fillFolder(), send(1), send(2), cells?.done]);
    for (let turn = 0; turn < kills; turn++) {
      // On PostgreSQL, folders and cameras of a server that died are served again when its lease is over, after 15 s.
      if (turn % 2 === 0) await eventually(isServing, (serves) => serves, 30_000);
      await pause(500 + 2000 * random.next());
      await service.kill();
      service = await spawnService(settings);
    }
    await pause(1000);
    working = false;
    await load;
    const stored = [...(await readStored('folder')), ...(await readStored('ftp'))].map(hashOfItem);
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
    if (cells) await expectTriggersKept(cells);
  }, 900_000);

  /** Whether this server serves the folder and all cameras, and they work. */
  const isServing = async (): Promise<boolean> => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const working = [...metrics.matchAll(/^kensa_source_ready\{station="(\w+)".*\} 1$/gm)].map(([, name]) => name);
    return [...stationIds.keys()].every((name) => working.includes(name));
  };

  /** Three controllers, each at a camera station of its own, by HTTP, MQTT and Modbus. Every product has a serial number. */
  async function startTriggers(isWorking: () => boolean) {
    const client = await connectAsync(`mqtt://127.0.0.1:${broker?.port}`, { protocolVersion: 5 });
    // A queued item is an answer too: the image is stored.
    /** Serial numbers of all triggers, and of those that were answered with an item or a verdict. */
    const given = new Map<string, Set<string>>(ways.map((way) => [way, new Set()]));
    const acknowledged = new Map<string, Set<string>>(ways.map((way) => [way, new Set()]));
    /** Ids of items whose result was published. */
    const published = new Set<string>();
    const answers = new Map<string, Partial<StoredItem>>();
    const trigger = {
      async request(serial: string): Promise<boolean> {
        const path = `/api/v1/stations/${stationIds.get('request')}/trigger?timeout_ms=300`;
        const { item_id: id } = await service.client.request<{ item_id: string }>('POST', path, { serial });
        return id !== undefined;
      },
      async message(serial: string): Promise<boolean> {
        const properties = { responseTopic: 'answers', correlationData: Buffer.from(serial) };
        const order = JSON.stringify({ serial, timeout_ms: 300 });
        const asked = service.process;
        const sent = await client.publishAsync('kensa/message/trigger', order, { qos: 1, properties });
        // The broker says where nobody listens yet.
        if (sent && 'reasonCode' in sent && sent.reasonCode === nobodyListens) return false;
        await eventually(
          async () => answers.has(serial) || asked.signalCode !== null,
          (isOver) => isOver,
          15_000,
        );
        return answers.get(serial)?.item_id !== undefined;
      },
      async coil(serial: string): Promise<boolean> {
        const plc = await connectModbus(modbusPort, unit);
        try {
          await plc.write(1, registersOf(serial));
          await plc.trigger();
          const bits = await eventually(plc.bits, (found) => !found.includes('busy'), 10_000);
          return bits.includes('valid');
        } finally {
          await plc.close();
        }
      },
    };
    client.on('message', (topic, payload, { properties }) => {
      const body = JSON.parse(payload.toString()) as Partial<StoredItem>;
      if (topic === 'answers') answers.set(String(properties?.correlationData), body);
      else published.add(body.item_id ?? '');
    });
    await client.subscribeAsync(['answers', 'kensa/message/result'], { qos: 1 });
    const run = async (way: (typeof ways)[number]): Promise<void> => {
      for (let number = 1; isWorking(); number++) {
        const serial = `${way} ${number}`;
        given.get(way)?.add(serial);
        // Where no answer comes, nobody knows whether the product was inspected. The next one has another number.
        const isThere = await trigger[way](serial).catch(() => false);
        if (isThere) acknowledged.get(way)?.add(serial);
        else await pause(50);
      }
    };
    return { done: Promise.all(ways.map(run)), given, acknowledged, published, end: () => client.endAsync(true) };
  }

  async function expectTriggersKept(cells: Awaited<ReturnType<typeof startTriggers>>): Promise<void> {
    for (const way of ways) {
      const items = await readStored(way);
      const serials = items.map(({ serial }) => serial ?? '');
      const acknowledged = [...(cells.acknowledged.get(way) ?? [])];
      console.info(`${acknowledged.length} triggers by ${way} were answered, ${items.length} images were stored`);
      expect(acknowledged.length).toBeGreaterThan(kills / 4);
      expect(acknowledged.filter((serial) => !serials.includes(serial))).toEqual([]);
      expect(new Set(serials).size).toBe(serials.length);
      expect(serials.filter((serial) => !cells.given.get(way)?.has(serial))).toEqual([]);
      // Each product has an image of its own.
      expect(new Set(items.map(hashOfItem)).size).toBe(items.length);
      if (way === 'message')
        await eventually(
          async () => items.filter(({ item_id: id }) => !cells.published.has(id)),
          ({ length }) => length === 0,
        );
    }
    await cells.end();
    // The captures of killed servers have ended.
    await eventually(
      async () => camera?.viewers(),
      (viewers) => viewers === ways.length,
    );
  }

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

  /** The items of a station, once every one has its verdict and the folder is empty. */
  async function readStored(station: string): Promise<StoredItem[]> {
    for (const deadline = Date.now() + 240_000; ; await pause(500)) {
      // An image that is stored while the pages are read would move an item to the next page, and show it twice.
      const isEmpty = (await listImages()).length === 0;
      const items: StoredItem[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const list = `/api/v1/items/?item_type=prediction&station_id=${stationIds.get(station)}`;
        const path = `${list}&count=200&page=${page}`;
        const answer = await service.client.request<{ items: StoredItem[]; end_page: number }>('GET', path);
        items.push(...answer.items);
        last = answer.end_page;
      }
      const isOver = isEmpty && items.every(({ status }) => status === 'done');
      if (!isOver && Date.now() < deadline) continue;
      expect(items.filter(({ status }) => status !== 'done')).toEqual([]);
      return items;
    }
  }
});

/** Images are named by their hash. */
const hashOfItem = ({ images }: StoredItem): string => /([0-9a-f]{64})/.exec(images[0]?.url ?? '')?.[1] ?? '';

/** Two characters in each register. */
const registersOf = (text: string): number[] =>
  Array.from({ length: 16 }, (_, index) => Buffer.from(text.padEnd(32, '\0')).readUInt16BE(index * 2));

/** A JPEG file with a comment after its first marker. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
}
