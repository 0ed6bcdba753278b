import { connectAsync, type MqttClient } from 'mqtt';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/find-program.ts';
import { findFreePort } from '../support/free-port.ts';
import { connectModbus, type ModbusController } from '../support/modbus-controller.ts';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type SimulatedCamera, startCamera } from '../support/simulated-camera.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

const canRun = hasProgram('ffmpeg') && hasMosquitto;
const jpegOf = async (image: Buffer): Promise<Buffer> => sharp(image).jpeg({ quality: 95 }).toBuffer();
const unit = 5;

describe.skipIf(!canRun)('a controller that triggers a camera', () => {
  let service: TestService;
  let broker: TestBroker;
  let camera: SimulatedCamera;
  let plc: ModbusController;
  let client: MqttClient;
  let stationId: string;
  const answers: Record<string, unknown>[] = [];

  beforeAll(async () => {
    broker = await startBroker();
    const port = await findFreePort();
    service = await startTestService({
      KENSA_MODBUS_PORT: String(port),
      KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
    });
    const { modelId } = await trainSmallModel(service);
    camera = await startCamera(await jpegOf(await stripes(1)));
    client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
    client.on('message', (_topic, payload) => answers.push(JSON.parse(payload.toString()) as Record<string, unknown>));
    await client.subscribeAsync('answers', { qos: 1 });
    const body = {
      name: 'cell',
      model_id: modelId,
      source: { kind: 'camera', url: camera.url, trigger: 'request' },
      outputs: [{ kind: 'modbus', unit, timeout_ms: 8000 }, { kind: 'mqtt' }],
    };
    const make = () => service.call('POST', '/api/v1/stations/', { body });
    // The broker may not be connected yet.
    const made = await eventually(make, ({ status }) => status === 201, 20_000);
    stationId = dataOf<{ station_id: string }>(made).station_id;
    plc = await connectModbus(port, unit);
    await eventually(
      async () => dataOf<{ state: { ready: boolean } }>(await service.call('GET', `/api/v1/stations/${stationId}`)),
      ({ state }) => state.ready,
    );
    await bits('ready');
  }, 300_000);
  afterAll(async () => {
    await plc?.close();
    await client?.endAsync(true);
    await service?.stop();
    await camera?.close();
    await broker?.stop();
  });

  const bits = (awaited: string) => eventually(plc.bits, (found) => found === awaited, 20_000);
  const ask = async (payload: string): Promise<Record<string, unknown>> => {
    const before = answers.length;
    await client.publishAsync('kensa/cell/trigger', payload, { qos: 1, properties: { responseTopic: 'answers' } });
    await eventually(
      async () => answers.length,
      (count) => count > before,
      20_000,
    );
    return answers.at(-1) ?? {};
  };

  it('by a coil gets the verdict of an image that was taken then, with its serial number', async () => {
    await plc.write(1, [0x5331]);
    await plc.trigger();
    await bits('ready valid ok');
    expect((await plc.registers()).slice(0, 2)).toEqual([1, 1]);
    const square = { create: { width: 30, height: 30, channels: 3, background: '#fff' } } as const;
    const input = await sharp(square).png().toBuffer();
    const composed = sharp(await stripes(1)).composite([{ input, left: 30, top: 30 }]);
    camera.image = await jpegOf(await composed.png().toBuffer());
    await plc.trigger();
    await bits('ready valid ng');
    camera.image = await jpegOf(await stripes(1));
    const { items } = dataOf<{ items: { serial: string }[] }>(
      await service.call('GET', `/api/v1/items/?item_type=prediction&station_id=${stationId}`),
    );
    expect(items.map(({ serial }) => serial)).toEqual(['S1', 'S1']);
    await plc.write(1, [0]);
  });

  it('by MQTT gets the result as the answer, and the bits follow', async () => {
    expect(await ask('{"serial":"0042"}')).toMatchObject({ result: 'OK', serial: '0042', station: 'cell' });
    await bits('ready valid ok');
  });

  it('is told of a fault while the camera is silent, cut off or sends garbage, and OK is 0', async () => {
    for (const mood of ['silence', 'garbage', 'bad-images'] as const) {
      camera.mood = mood;
      await plc.trigger();
      await eventually(plc.bits, (found) => /fault/.test(found), 20_000);
      expect(await plc.bits()).not.toMatch(/ok|ng|valid/);
      expect(await ask('')).toMatchObject({ error: { code: expect.any(String) } });
      camera.mood = 'images';
      camera.cut();
      await eventually(
        async () => dataOf<{ state: { ready: boolean } }>(await service.call('GET', `/api/v1/stations/${stationId}`)),
        ({ state }) => state.ready,
        60_000,
      );
      await eventually(
        async () => {
          await plc.trigger();
          await eventually(plc.bits, (found) => !/busy/.test(found), 20_000);
          return plc.bits();
        },
        (found) => found === 'ready valid ok',
        60_000,
      );
    }
  }, 240_000);
});
