import { connectAsync, type MqttClient } from 'mqtt';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/find-program.ts';
import { findFreePort } from '../support/free-port.ts';
import { connectModbus, type ModbusController } from '../support/modbus-controller.ts';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type CameraMood, type SimulatedCamera, startCamera } from '../support/simulated-camera.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

const canRun = hasProgram('ffmpeg') && hasMosquitto;
const jpegOf = async (image: Buffer): Promise<Buffer> => sharp(image).jpeg({ quality: 95 }).toBuffer();

/** A camera with its station, and the controller at it. */
interface Cell {
  readonly name: string;
  readonly stationId: string;
  readonly camera: SimulatedCamera;
  readonly plc: ModbusController;
}

describe.skipIf(!canRun)('a controller that triggers a camera', () => {
  let service: TestService;
  let broker: TestBroker;
  let port: number;
  let modelId: string;
  let client: MqttClient;
  let cell: Cell;
  const cells: Cell[] = [];
  const answers: { topic: string; body: Record<string, unknown> }[] = [];

  const openCell = async (): Promise<Cell> => {
    const number = cells.length + 1;
    const name = `cell ${number}`;
    const camera = await startCamera(await jpegOf(await stripes(1)));
    const body = {
      name,
      model_id: modelId,
      source: { kind: 'camera', url: camera.url, trigger: 'request' },
      outputs: [{ kind: 'modbus', unit: number, timeout_ms: 8000 }, { kind: 'mqtt' }],
    };
    const plc = await connectModbus(port, number);
    const opened = { name, stationId: '', camera, plc };
    cells.push(opened);
    // The broker may not be connected yet.
    const make = () => service.call('POST', '/api/v1/stations/', { body });
    const made = await eventually(make, ({ status }) => status === 201, 20_000);
    opened.stationId = dataOf<{ station_id: string }>(made).station_id;
    await client.subscribeAsync([`answers/${name}`, `kensa/${name}/state`], { qos: 1 });
    await ready(opened);
    await bits(opened, 'ready');
    return opened;
  };

  beforeAll(async () => {
    broker = await startBroker();
    port = await findFreePort();
    service = await startTestService({
      KENSA_MODBUS_PORT: String(port),
      KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
    });
    ({ modelId } = await trainSmallModel(service));
    client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
    client.on('message', (topic, payload) => answers.push({ topic, body: JSON.parse(payload.toString()) }));
    cell = await openCell();
  }, 300_000);
  afterAll(async () => {
    for (const { plc } of cells) await plc.close();
    await client?.endAsync(true);
    await service?.stop();
    for (const { camera } of cells) await camera.close();
    await broker?.stop();
  });

  const ready = ({ stationId }: Cell) =>
    eventually(
      async () => dataOf<{ state: { ready: boolean } }>(await service.call('GET', `/api/v1/stations/${stationId}`)),
      ({ state }) => state.ready,
    );
  const bits = ({ plc }: Cell, awaited: string) => eventually(plc.bits, (found) => found === awaited, 20_000);
  const state = ({ name }: Cell, isReady: boolean) =>
    eventually(
      async () => answers.findLast(({ topic }) => topic === `kensa/${name}/state`)?.body,
      (body) =>
        body?.['source'] === 'camera' &&
        body['ready'] === isReady &&
        /camera/i.test(String(body['fault'])) === !isReady,
      20_000,
    );
  const ask = async ({ name }: Cell, payload: string): Promise<Record<string, unknown>> => {
    const responseTopic = `answers/${name}`;
    const own = () => answers.filter(({ topic }) => topic === responseTopic);
    const before = own().length;
    await client.publishAsync(`kensa/${name}/trigger`, payload, { qos: 1, properties: { responseTopic } });
    await eventually(
      async () => own().length,
      (count) => count > before,
      20_000,
    );
    return own().at(-1)?.body ?? {};
  };

  it('by a coil gets the verdict of an image that was taken then, with its serial number', async () => {
    const { plc, camera, stationId } = cell;
    await plc.write(1, [0x5331]);
    await plc.trigger();
    await bits(cell, 'ready valid ok');
    expect((await plc.registers()).slice(0, 2)).toEqual([1, 1]);
    const square = { create: { width: 30, height: 30, channels: 3, background: '#fff' } } as const;
    const input = await sharp(square).png().toBuffer();
    const composed = sharp(await stripes(1)).composite([{ input, left: 30, top: 30 }]);
    camera.image = await jpegOf(await composed.png().toBuffer());
    await plc.trigger();
    await bits(cell, 'ready valid ng');
    camera.image = await jpegOf(await stripes(1));
    const { items } = dataOf<{ items: { serial: string }[] }>(
      await service.call('GET', `/api/v1/items/?item_type=prediction&station_id=${stationId}`),
    );
    expect(items.map(({ serial }) => serial)).toEqual(['S1', 'S1']);
    await plc.write(1, [0]);
  });

  it('by MQTT gets the result as the answer, and the bits follow', async () => {
    expect(await ask(cell, '{"serial":"0042","timeout_ms":20000}')).toMatchObject({
      result: 'OK',
      serial: '0042',
      station: 'cell 1',
    });
    await bits(cell, 'ready valid ok');
  });

  const checkMood = async (mood: CameraMood, own: Cell): Promise<void> => {
    const { camera, plc } = own;
    camera.mood = mood;
    await plc.trigger();
    await eventually(plc.bits, (found) => /fault/.test(found), 20_000);
    expect(await plc.bits()).not.toMatch(/ok|ng|valid/);
    expect(await ask(own, '')).toMatchObject({ error: { code: expect.any(String) } });
    // In its state at the broker too. A camera that sends damaged images works, for what it can see.
    if (mood !== 'bad-images') await state(own, false);
    camera.mood = 'images';
    camera.cut();
    await ready(own);
    await eventually(
      async () => {
        await plc.trigger();
        await eventually(plc.bits, (found) => !/busy/.test(found), 20_000);
        return plc.bits();
      },
      (found) => found === 'ready valid ok',
      60_000,
    );
  };

  it('is told of a fault while the camera is silent, cut off or sends garbage, and OK is 0', async () => {
    const moods = ['silence', 'garbage', 'bad-images'] as const;
    const own = [cell, await openCell(), await openCell()];
    await Promise.all(own.map((one, index) => checkMood(moods[index] ?? 'silence', one)));
    for (const one of own) await state(one, true);
  }, 240_000);
});
