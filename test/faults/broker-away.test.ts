import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { eventually, stripes } from '../support/trained-model.ts';
import { trainStripes } from './plant.ts';

/** Ten minutes. Nothing in the service can be set to make them shorter. */
const seconds = Number(process.env['KENSA_FAULT_BROKER_SECONDS'] ?? 600);
const everyMs = 2000;

interface Result {
  item_id: string;
  station: string;
  serial: string;
}

describe.skipIf(!hasMosquitto)(`a broker that is away for ${seconds} s`, () => {
  let folder: string;
  let broker: TestBroker;
  let service: SpawnedService;
  let subscriber: MqttClient;
  const stations = new Map<string, string>();
  const results: Result[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-broker-'));
    broker = await startBroker();
    subscriber = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5, reconnectPeriod: 20 });
    subscriber.on('message', (_topic, payload) => results.push(JSON.parse(payload.toString()) as Result));
    await subscriber.subscribeAsync('kensa/+/result', { qos: 1 });
    const settings = { KENSA_DATA_DIR: folder, KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` };
    service = await spawnService(settings);
    const { client } = service;
    const model_id = await trainStripes(client);
    for (const name of ['press 1', 'press 2']) {
      const body = { name, model_id, outputs: [{ kind: 'mqtt' }] };
      const made = await client.request<{ station_id: string }>('POST', '/api/v1/stations/', body);
      stations.set(name, made.station_id);
    }
  });
  afterAll(async () => {
    await subscriber?.endAsync(true);
    await service?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'gets every result once it is back: in order for a station, and once for who drops an item_id that was there',
    async () => {
      const sent = new Map<string, string[]>([...stations.keys()].map((name) => [name, []]));
      const inspect = async (name: string, number: number): Promise<void> => {
        const file = { name: `${number}.png`, bytes: await stripes(number % 8) };
        const serial = `${name} ${number}`;
        await service.client.inspect({ stationId: stations.get(name) ?? '' }, [file], { serial }, 30_000);
        sent.get(name)?.push(serial);
      };
      let number = 0;
      const inspectAll = async (): Promise<void> => {
        number++;
        await Promise.all([...stations.keys()].map((name) => inspect(name, number)));
      };
      await inspectAll();
      await broker.kill();
      for (const until = Date.now() + 1000 * seconds; Date.now() < until; await pause(everyMs)) await inspectAll();
      expect(number).toBeGreaterThan(seconds / 4);
      await broker.start();
      const told = (name: string): string[] => {
        const own = results.filter(({ station }) => station === name);
        const first = own.filter(({ item_id: id }, index) => own.findIndex((one) => one.item_id === id) === index);
        return first.map(({ serial }) => serial);
      };
      const total = (): number => [...stations.keys()].reduce((sum, name) => sum + told(name).length, 0);
      await eventually(
        async () => total(),
        (count) => count >= number * stations.size,
        120_000,
      );
      for (const name of stations.keys()) expect(told(name)).toEqual(sent.get(name));
      console.info(`${total()} results after ${seconds} s, ${results.length} messages`);
    },
    (seconds + 240) * 1000,
  );
});
