import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { hasProgram } from '../support/find-program.ts';
import { hasRtspServer, type RtspServer, startRtspServer } from '../support/rtsp-server.ts';
import { type SimulatedCamera, startCamera } from '../support/simulated-camera.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Station {
  station_id: string;
  source: { url: string };
  state: {
    ready: boolean;
    source: { ready: boolean; fault: { status_text: string; status_messages: { code: string }[] } | null } | null;
  };
}

interface Item {
  item_id: string;
  status: string;
  serial?: string;
  images: { url: string }[];
}

const jpegOf = async (phase: number): Promise<Buffer> =>
  sharp(await stripes(phase))
    .jpeg({ quality: 95 })
    .toBuffer();

const canRun = hasProgram('ffmpeg');
let service: TestService;
let modelId: string;
const cameras: SimulatedCamera[] = [];
beforeAll(async () => {
  service = await startTestService();
  ({ modelId } = await trainSmallModel(service));
}, 300_000);
afterAll(async () => {
  await service.stop();
  for (const camera of cameras) await camera.close();
});

async function newCamera(): Promise<SimulatedCamera> {
  const camera = await startCamera(await jpegOf(1));
  cameras.push(camera);
  return camera;
}

let count = 0;
const create = (source: object) => {
  const body = { name: `camera ${++count}`, model_id: modelId, source: { kind: 'camera', ...source } };
  return service.call('POST', '/api/v1/stations/', { body });
};
const read = async (id: string) => dataOf<Station>(await service.call('GET', `/api/v1/stations/${id}`));
const ready = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => state.ready,
    60_000,
  );
async function newStation(source: object): Promise<string> {
  const { station_id: id } = dataOf<Station>(await create(source));
  await ready(id);
  return id;
}
const trigger = (id: string, body?: object) =>
  service.call('POST', `/api/v1/stations/${id}/trigger?timeout_ms=30000`, body ? { body } : {});
const bytesOf = async ({ images }: Item): Promise<Buffer> =>
  (await service.call('GET', images[0]?.url ?? '', { token: null })).bytes;

// Each test waits for a camera of its own, so they run side by side.
describe.skipIf(!canRun)('a camera', { concurrent: true }, () => {
  it('takes an image on request, byte for byte, which was taken after the request', async () => {
    const camera = await newCamera();
    const id = await newStation({ url: camera.url });
    const first = await trigger(id);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(await bytesOf(dataOf<Item>(first))).toEqual(camera.image);
    for (const phase of [2, 3, 4]) {
      camera.image = await jpegOf(phase);
      const item = dataOf<Item>(await trigger(id, { serial: `S${phase}`, fields: { shift: '2' } }));
      expect(item).toMatchObject({ status: 'done', serial: `S${phase}`, station_id: id });
      expect(await bytesOf(item)).toEqual(camera.image);
    }
    const preview = await service.call('GET', `/api/v1/stations/${id}/preview`);
    expect(preview.headers['content-type']).toBe('image/jpeg');
    expect(preview.bytes).toEqual(camera.image);
    const before = await service.db.selectFrom('items').selectAll().where('station_id', '=', id).execute();
    expect(before).toHaveLength(4);
    expectError(await trigger(id, { colour: 'red' }), 422, 'colour');
    await service.call('DELETE', `/api/v1/stations/${id}`);
    expectError(await trigger(id), 404);
  });

  it('takes images at an interval until it is switched off', async () => {
    const camera = await newCamera();
    const id = await newStation({ url: camera.url, trigger: { every_ms: 200 } });
    const items = () => service.db.selectFrom('items').selectAll().where('station_id', '=', id).execute();
    await eventually(items, ({ length }) => length >= 3);
    await service.call('PUT', `/api/v1/stations/${id}`, { body: { enabled: false } });
    await eventually(
      async () => camera.viewers(),
      (viewers) => viewers === 0,
    );
    const { length } = await items();
    await pause(1000);
    expect(await items()).toHaveLength(length);
    expectError(await trigger(id), 409);
    await service.call('DELETE', `/api/v1/stations/${id}`);
  });

  it('that hangs, sends garbage or is cut off is reported and connected again', async () => {
    const camera = await newCamera();
    const id = await newStation({ url: camera.url });
    const fault = (code: string) =>
      eventually(
        () => read(id),
        ({ state }) => state.source?.fault?.status_messages.some((message) => message.code === code) === true,
        60_000,
      );
    camera.mood = 'silence';
    await fault('camera.silent');
    const refused = expectError(await trigger(id), 409);
    expect(refused.detail).toMatch(/camera/);
    expectError(await service.call('GET', `/api/v1/stations/${id}/preview`), 409);
    camera.mood = 'images';
    await ready(id);
    camera.mood = 'garbage';
    camera.cut();
    await fault('camera.ended');
    camera.mood = 'images';
    camera.cut();
    await ready(id);
    expect(dataOf<Item>(await trigger(id)).status).toBe('done');
    camera.mood = 'bad-images';
    camera.cut();
    await eventually(
      () => read(id),
      ({ state }) => !state.ready,
    ).catch(() => {});
    const bad = await trigger(id);
    expect([409, 422]).toContain(bad.status);
    camera.mood = 'images';
    camera.cut();
    await ready(id);
    expect(dataOf<Item>(await trigger(id)).status).toBe('done');
    expect((await service.call('GET', '/healthz')).status).toBe(200);
    await service.call('DELETE', `/api/v1/stations/${id}`);
  }, 240_000);

  it('that ffmpeg plays is taken, and gone when the station is gone', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/feed`;
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10'];
    // It serves one connection, and starts again for the next.
    const script = 'while true; do ffmpeg -loglevel error -re "$@"; sleep 0.1; done';
    const player = spawn('bash', ['-c', script, 'play', ...source, '-f', 'mpjpeg', '-listen', '1', url], {
      detached: true,
      stdio: 'ignore',
    });
    try {
      await pause(1500);
      const id = await newStation({ url });
      const item = dataOf<Item>(await trigger(id));
      expect(await sharp(await bytesOf(item)).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
      await service.call('DELETE', `/api/v1/stations/${id}`);
    } finally {
      process.kill(-(player.pid ?? 0), 'SIGKILL');
    }
  });

  it('hides its password, keeps it over a change of other settings, and gives it to no other host', async () => {
    const camera = await newCamera();
    const withPassword = camera.url.replace('http://', 'http://viewer:top-secret@');
    const id = await newStation({ url: withPassword });
    const { source } = await read(id);
    expect(source.url).toBe(camera.url.replace('http://', 'http://viewer:****@'));
    const update = (url: string) =>
      service.call('PUT', `/api/v1/stations/${id}`, {
        body: { source: { kind: 'camera', url, trigger: { every_ms: 60_000 } } },
      });
    expect((await update(source.url)).status).toBe(200);
    const stored = async () =>
      (await service.db.selectFrom('stations').select('source').where('station_id', '=', id).executeTakeFirstOrThrow())
        .source;
    expect(await stored()).toContain('top-secret');
    const other = await startCamera(await jpegOf(1));
    expect((await update(other.url.replace('http://', 'http://viewer:****@'))).status).toBe(200);
    expect(await stored()).not.toContain('top-secret');
    await service.call('DELETE', `/api/v1/stations/${id}`);
    await other.close();
  });
});

describe.skipIf(!canRun || !hasRtspServer)('a camera that speaks RTSP', { concurrent: true }, () => {
  let server: RtspServer;
  beforeAll(async () => {
    server = await startRtspServer();
  });
  afterAll(() => server?.stop());

  it.each(['mjpeg', 'h264'] as const)('sends %s, and images are taken on request', async (path) => {
    const id = await newStation({ url: server.url(path) });
    const items = [dataOf<Item>(await trigger(id)), dataOf<Item>(await trigger(id))];
    const images = await Promise.all(items.map(bytesOf));
    for (const image of images)
      expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
    // The picture moves.
    expect(images[0]).not.toEqual(images[1]);
    await service.call('DELETE', `/api/v1/stations/${id}`);
  });

  it('and is switched off is reported, and connected again', async () => {
    const own = await startRtspServer();
    const id = await newStation({ url: own.url('h264') });
    await own.kill();
    const gone = await eventually(
      () => read(id),
      ({ state }) => state.source?.fault != null,
    );
    expect(gone.state.ready).toBe(false);
    expect(JSON.stringify(gone.state)).not.toContain('top-secret');
    expectError(await trigger(id), 409);
    await own.start();
    await ready(id);
    expect(dataOf<Item>(await trigger(id)).status).toBe('done');
    await service.call('DELETE', `/api/v1/stations/${id}`);
    await own.stop();
  });

  it('refuses a wrong password, and the test of the station says so', async () => {
    const body = { source: { kind: 'camera', url: server.url('mjpeg', 'wrong') } };
    const error = expectError(await service.call('POST', '/api/v1/stations/test', { body }), 422, 'source.url');
    expect(error.detail).toContain('401');
    expect(error.detail).not.toContain('wrong@');
    const right = { source: { kind: 'camera', url: server.url('mjpeg') } };
    expect((await service.call('POST', '/api/v1/stations/test', { body: right })).status).toBe(200);
  });
});

describe('a camera that may not be', () => {
  it.each([
    'file:///etc/passwd',
    'concat:/etc/passwd|/etc/shadow',
    '/dev/video0',
    '-i /etc/passwd',
    'pipe:0',
    'data:image/jpeg;base64,AAAA',
    'tcp://127.0.0.1:22',
    'ftp://127.0.0.1/a.jpg',
    'subfile,,start,0,end,10,,:/etc/passwd',
    'http://169.254.169.254/latest',
    'http://camera/a b',
    'v4l2:///etc/passwd',
    'v4l2:///dev/video0?input=x',
    'v4l2:///dev/video0/../../etc/passwd',
  ])('is refused: %s', async (url) => {
    const error = expectError(await create({ url }), 422, 'source.url');
    expect(JSON.stringify(error.values)).toContain('camera.url');
  });

  it('where nothing answers, or fields are wrong, is refused in words', async () => {
    for (const [url, code] of [
      [`http://127.0.0.1:${await freePort()}/`, 'camera.unreachable'],
      ['rtsp://no-such-host.invalid/stream', 'camera.unreachable'],
      ['v4l2:///dev/video999', 'camera.no-device'],
    ]) {
      const error = expectError(await create({ url }), 422, 'source.url');
      expect(JSON.stringify(error.values)).toContain(code);
    }
    expectError(await create({}), 422, 'source.url');
    const camera = await newCamera();
    expectError(await create({ url: camera.url, path: '/tmp' }), 422, 'source.path');
    expectError(await create({ url: camera.url, trigger: { every_ms: 10 } }), 422, 'source.trigger.every_ms');
    const http = dataOf<Station>(await service.call('POST', '/api/v1/stations/', { body: { name: 'no camera' } }));
    expectError(await trigger(http.station_id), 409);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
