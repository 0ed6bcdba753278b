import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type SpawnedService, spawnedClient, spawnService } from '../support/spawn-service.ts';
import { stripes } from '../support/trained-model.ts';

const examples = new URL('../../examples/', import.meta.url).pathname;
// Debian's own Python has the modules that its packages install.
const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import requests, paho.mqtt.client']).status === 0,
);
if (python === undefined)
  console.warn(
    'Python with requests and paho-mqtt is not there: the examples are not run. Install them with: apt-get install python3-requests python3-paho-mqtt',
  );
const run = promisify(execFile);

let folder: string;
let broker: TestBroker;
let service: SpawnedService;
let stationId: string;
let images: string[];

it('the Node-RED flow is one that can be imported: every wire ends at a node', () => {
  const nodes = JSON.parse(readFileSync(join(examples, 'node-red-flow.json'), 'utf8')) as {
    id: string;
    broker?: string;
    wires?: string[][];
  }[];
  const ids = new Set(nodes.map(({ id }) => id));
  expect(ids.size).toBe(nodes.length);
  for (const { wires = [] } of nodes) for (const end of wires.flat()) expect(ids).toContain(end);
});

describe.skipIf(!hasMosquitto || python === undefined)('the examples in Python', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-examples-'));
    broker = await startBroker();
    service = await spawnService({ KENSA_DATA_DIR: folder, KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` });
    const { client } = service;
    const files = await Promise.all(
      [0, 1, 2, 3].map(async (phase) => ({ name: `${phase}.png`, bytes: await stripes(phase) })),
    );
    await client.uploadItems(files, { training: 'true', good: 'true' });
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { override_params };
    const { model_id } = await client.request<{ model_id: string }>(
      'POST',
      '/api/v1/algorithms/patchcore/train',
      order,
    );
    await client.waitForModel(model_id);
    images = await Promise.all(
      files.slice(0, 2).map(async ({ name, bytes }) => {
        await writeFile(join(folder, name), bytes);
        return join(folder, name);
      }),
    );
    const station = { name: 'press 1', model_id, outputs: [{ kind: 'mqtt' }] };
    ({ station_id: stationId } = await client.request<{ station_id: string }>('POST', '/api/v1/stations/', station));
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (program: string, args: string[], settings: Record<string, string>) => {
    const env = { PATH: process.env['PATH'], ...settings };
    const { stdout } = await run(python ?? '', [join(examples, program), ...args], { env, timeout: 60_000 });
    return stdout.trim().split('\n');
  };

  it('inspect_folder.py prints a verdict for each file', async () => {
    const { clientId, clientSecret } = spawnedClient;
    const settings = { KENSA_URL: service.url, KENSA_CLIENT_ID: clientId, KENSA_CLIENT_SECRET: clientSecret };
    const broken = join(folder, 'broken.png');
    await writeFile(broken, 'no image');
    const lines = await start('inspect_folder.py', [stationId, ...images, broken], settings);
    expect(lines).toEqual([
      expect.stringMatching(/0\.png OK 0\.\d{6}/),
      expect.stringMatching(/1\.png OK 0\.\d{6}/),
      expect.stringMatching(/broken\.png FAULT .*not an? /),
    ]);
  });

  it('mqtt_line.py prints the answer to each trigger, and each result once', async () => {
    const lines = await start('mqtt_line.py', ['press 1', ...images], { MQTT_PORT: String(broker.port) });
    expect(lines.filter((line) => line === 'answer OK')).toHaveLength(2);
    expect(lines.filter((line) => /^result OK S1 0\.\d+/.test(line))).toHaveLength(1);
  });
});
