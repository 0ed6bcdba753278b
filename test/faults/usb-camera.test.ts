import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KensaError } from '../../src/client/kensa-error.ts';
import { hasProgram } from '../support/find-program.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { eventually } from '../support/trained-model.ts';
import { hasUsbCamera, usbCamera } from '../support/virtual-usb-camera.ts';
import { trainStripes } from './plant.ts';

interface Station {
  station_id: string;
  state: {
    ready: boolean;
    source: { fault: { status_text: string; status_messages: { code: string }[] } | null } | null;
  };
}

interface Item {
  status: string;
  station_id: string;
  assessments: { result: string }[];
  images: { url: string }[];
}

const { device } = usbCamera;
const address = (size: string): string => `v4l2://${device}?size=${size}`;

// In an emulated machine everything takes longer.
describe.skipIf(!hasUsbCamera || !hasProgram('ffmpeg'))('a USB camera', { timeout: 600_000 }, () => {
  let folder: string;
  let service: SpawnedService;
  let modelId: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-usb-'));
    service = await spawnService({ KENSA_DATA_DIR: folder });
    modelId = await trainStripes(service.client);
    // Loads ffmpeg into memory, which an emulated machine does slowly.
    execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'v4l2', '-i', device, '-frames:v', '1', '-f', 'null', '-']);
  }, 900_000);
  afterEach(async () => {
    for (const { station_id: id } of await call<Station[]>('GET', '/api/v1/stations/')) await remove(id);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  const call = <T>(method: string, path: string, body?: object) => service.client.request<T>(method, path, body);
  const refusal = (work: Promise<unknown>): Promise<KensaError> =>
    work.then(
      () => expect.unreachable('it was accepted'),
      (error: unknown) => (error instanceof KensaError ? error : expect.unreachable(String(error))),
    );
  let count = 0;
  const create = (size: string) =>
    call<Station>('POST', '/api/v1/stations/', {
      name: `USB ${++count}`,
      model_id: modelId,
      source: { kind: 'camera', url: address(size) },
    });
  const read = (id: string) => call<Station>('GET', `/api/v1/stations/${id}`);
  const ready = (id: string) =>
    eventually(
      () => read(id),
      ({ state }) => state.ready,
      120_000,
    );
  const newStation = async (size: string): Promise<string> => {
    const { station_id: id } = await create(size);
    await ready(id);
    return id;
  };
  /** @returns the words of the fault once it is there. */
  const fault = async (id: string, code: string): Promise<string> => {
    const isThere = ({ state }: Station) => state.source?.fault?.status_messages[0]?.code === code;
    return (await eventually(() => read(id), isThere, 120_000)).state.source?.fault?.status_text ?? '';
  };
  const remove = (id: string) => call('DELETE', `/api/v1/stations/${id}`);
  const trigger = (id: string) => call<Item>('POST', `/api/v1/stations/${id}/trigger?timeout_ms=60000`, {});
  const test = async (size: string, station = {}): Promise<unknown> => {
    const body = { ...station, source: { kind: 'camera', url: address(size) } };
    for (let turn = 1; ; turn++) {
      const error = await call('POST', '/api/v1/stations/test', body).catch((thrown: unknown) => thrown);
      // The service waits for an image for five seconds: not enough on a busy emulated machine.
      const isLate = error instanceof KensaError && /camera\.(late|silent)/.test(JSON.stringify(error.body));
      if (isLate && turn < 10) continue;
      if (error instanceof Error) throw error;
      return error;
    }
  };
  const textOf = async (path: string): Promise<string> => (await fetch(`${service.url}${path}`)).text();
  const imageOf = async ({ images }: Item): Promise<ArrayBuffer> =>
    (await fetch(new URL(images[0]?.url ?? '', service.url))).arrayBuffer();
  const brightnessOf = async (item: Item): Promise<number> =>
    (
      await sharp(await imageOf(item))
        .greyscale()
        .stats()
    ).channels[0]?.mean ?? 0;

  it.each([
    [640, 360],
    [320, 180],
  ])('gives images of %i × %i where that is asked for, each with a verdict', async (width, height) => {
    const size = `${width}x${height}`;
    await test(size);
    const id = await newStation(size);
    // A camera that the station reads already is not opened twice.
    await test(size, { station_id: id });
    const item = await trigger(id);
    expect(item).toMatchObject({ status: 'done', station_id: id });
    expect(item.assessments[0]?.result).toMatch(/^(OK|NG)$/);
    expect(await sharp(await imageOf(item)).metadata()).toMatchObject({ format: 'jpeg', width, height });
  });

  it('that has no images of the size says so, and what it sends', async () => {
    expect((await refusal(test('1000x1000'))).message).toMatch(/1000x1000.*1280x720/);
    const { station_id: id } = await create('1000x1000');
    expect(await fault(id, 'camera.size')).toMatch(/1000x1000.*1280x720/);
    expect((await refusal(trigger(id))).status).toBe(409);
    await call('PUT', `/api/v1/stations/${id}`, { source: { kind: 'camera', url: address('320x180') } });
    await ready(id);
  });

  it('gives no image from before the request, also where ffmpeg stood still for a while', async () => {
    const id = await newStation('320x180');
    const ffmpeg = Number(
      execFileSync('pgrep', ['-f', `^ffmpeg .*${device}`])
        .toString()
        .split('\n')[0],
    );
    for (const brightness of [0, 255]) {
      process.kill(ffmpeg, 'SIGSTOP');
      // The driver keeps the images of this time.
      await pause(2000);
      usbCamera.setBrightness(brightness);
      const item = trigger(id);
      await pause(1000);
      process.kill(ffmpeg, 'SIGCONT');
      const seen = await brightnessOf(await item);
      if (brightness === 0) expect(seen).toBeLessThan(90);
      else expect(seen).toBeGreaterThan(165);
    }
    usbCamera.setBrightness(128);
  });

  it('that another program uses is reported, and taken once it is free', async () => {
    const args = ['-loglevel', 'error', '-nostdin', '-f', 'v4l2', '-i', device, '-c:v', 'copy', '-f', 'rawvideo', '-'];
    const other = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    other.stdout.resume();
    expect((await refusal(test('320x180'))).message).toContain(`uses the camera ${device}`);
    const { station_id: id } = await create('320x180');
    expect(await fault(id, 'camera.busy')).toContain(device);
    other.kill('SIGKILL');
    await ready(id);
  });

  it('that is pulled out is reported, and works again when it is plugged in', async () => {
    const id = await newStation('320x180');
    usbCamera.pullOut();
    try {
      expect(await fault(id, 'camera.no-device')).toContain(device);
      expect(JSON.parse(await textOf('/readyz'))).toMatchObject({
        status: 'ready',
        faults: [{ station_id: id, code: 'camera.no-device' }],
      });
      expect(await textOf('/metrics')).toContain(`kensa_source_ready{station="USB ${count}",kind="camera"} 0`);
      const refused = await refusal(trigger(id));
      expect(refused.status).toBe(409);
      expect(refused.message).toContain(device);
      expect((await refusal(create('320x180'))).message).toContain(`there is no camera ${device}`);
    } finally {
      usbCamera.plugIn();
    }
    await ready(id);
    expect(await trigger(id)).toMatchObject({ status: 'done' });
    expect(await textOf('/readyz')).not.toContain(id);
  });

  it('that the user of the service may not read is refused, and the group is named', () => {
    const module = new URL('../../src/line/camera/camera-address.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then(async ({ findCameraProblem }) =>
      console.log((await findCameraProblem(${JSON.stringify(address('320x180'))}))?.code))`;
    execFileSync('chmod', ['600', device]);
    const args = ['--import', 'tsx', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe('camera.no-permission');
  });
});
