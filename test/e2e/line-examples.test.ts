import { execFile, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectAsync } from 'mqtt';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { connectModbus } from '../support/modbus-controller.ts';
import { hasMosquitto, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { type SpawnedService, spawnedClient, spawnService } from '../support/spawn-service.ts';
import { eventually, stripes } from '../support/trained-model.ts';

const examples = new URL('../../examples/', import.meta.url).pathname;
// Debian's own Python has the modules that its packages install.
const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import requests, paho.mqtt.client']).status === 0,
);
if (python === undefined)
  console.warn(
    'Python with requests and paho-mqtt is not there: the examples are not run. Install them with: apt-get install python3-requests python3-paho-mqtt',
  );
const hasMono = ['/usr/bin/mcs', '/usr/bin/mono'].every((path) => existsSync(path));
if (!hasMono)
  console.warn(
    'Mono is not there: the example in C# is not run. Install it with: apt-get install mono-mcs mono-runtime',
  );
const nodeRed = new URL('../../.tmp/node-red', import.meta.url).pathname;
const hasNodeRed = existsSync(join(nodeRed, 'node_modules/@node-red/runtime'));
if (!hasNodeRed) console.warn('Node-RED is not there: the example flow is not run. "npm test" installs it.');
const run = promisify(execFile);

let folder: string;
let broker: TestBroker;
let service: SpawnedService;
let stationId: string;
let images: string[];
let modbusPort: number;
let modelId: string;

interface FlowNode {
  id: string;
  type?: string;
  topic?: string;
  func?: string;
  payload?: string;
  wires?: string[][];
}
const flow = JSON.parse(readFileSync(join(examples, 'node-red-flow.json'), 'utf8')) as FlowNode[];
const nodeOf = (id: string): FlowNode => flow.find((node) => node.id === id) ?? { id };

it('the Node-RED flow can be imported: every wire ends at a node, and its function drops what comes twice', () => {
  const ids = new Set(flow.map(({ id }) => id));
  expect(ids.size).toBe(flow.length);
  for (const { wires = [] } of flow) for (const end of wires.flat()) expect(ids).toContain(end);
  const kept = new Map<string, unknown>();
  const context = { get: (key: string) => kept.get(key), set: (key: string, value: unknown) => kept.set(key, value) };
  const once = new Function('msg', 'context', nodeOf('kensa-once').func ?? '');
  const send = (id: string) => once({ payload: { item_id: id } }, context);
  expect([send('a'), send('b'), send('a'), send('b')].map((msg) => msg?.payload.item_id)).toEqual([
    'a',
    'b',
    undefined,
    undefined,
  ]);
});

describe.skipIf(!hasMosquitto)('the examples', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kensa-examples-'));
    broker = await startBroker();
    modbusPort = await findFreePort();
    service = await spawnService({
      KENSA_DATA_DIR: folder,
      KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      KENSA_MODBUS_PORT: String(modbusPort),
    });
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
    const modbus = { kind: 'modbus', unit: 1, timeout_ms: 1000, recipes: [{ number: 2, model_id }] };
    const station = { name: 'press 1', model_id, outputs: [{ kind: 'mqtt' }, modbus] };
    modelId = model_id;
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

  it.skipIf(python === undefined)('inspect_folder.py prints a verdict for each file', async () => {
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

  it.skipIf(python === undefined)('mqtt_line.py prints the answer to each trigger, and each result once', async () => {
    const lines = await start('mqtt_line.py', ['press 1', ...images], { MQTT_PORT: String(broker.port) });
    expect(lines.filter((line) => line === 'answer OK')).toHaveLength(2);
    expect(lines.filter((line) => /^result OK S1 0\.\d+/.test(line))).toHaveLength(1);
  });

  it('the topics of the Node-RED flow are those of a station, which does what the flow sends', async () => {
    const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
    const seen = new Map<string, string>();
    client.on('message', (topic, payload) => seen.set(topic, payload.toString()));
    const topicOf = (id: string): string => nodeOf(id).topic ?? '';
    await client.subscribeAsync(['answers', topicOf('kensa-results'), topicOf('kensa-states')], { qos: 1 });
    const properties = { responseTopic: 'answers' };
    await client.publishAsync(topicOf('kensa-model'), nodeOf('kensa-press').payload ?? '', { qos: 1, properties });
    const file = { name: '0.png', bytes: readFileSync(images[0] ?? '') };
    await service.client.inspect({ stationId }, [file], {}, 30_000);
    await eventually(
      async () => [...seen.keys()].sort().join(' '),
      (topics) => topics === 'answers kensa/press 1/result kensa/press 1/state',
    );
    expect(JSON.parse(seen.get('answers') ?? '')).toEqual({ station_id: stationId, model_id: modelId });
    await client.endAsync(true);
  });

  it.skipIf(!hasNodeRed)(
    'Node-RED runs the flow: states, verdicts by OK, NG and fault, each once, and a recipe',
    async () => {
      const { client } = service;
      const home = join(folder, 'node-red');
      await mkdir(home);
      const ours = flow.map((node) => (node.type === 'mqtt-broker' ? { ...node, port: String(broker.port) } : node));
      await writeFile(join(home, 'flow.json'), JSON.stringify(ours));
      const runner = new URL('../support/run-node-red.mjs', import.meta.url).pathname;
      const red = fork(runner, [nodeRed, home], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const shown: { node: string; item?: string; model?: string | null }[] = [];
      red.on('message', ({ name, shown: payload }: { name: string; shown: Record<string, unknown> }) => {
        const { name: item, model } = payload as { name?: string; model?: { model_id: string } | null };
        shown.push(
          name === 'state' ? { node: name, model: model?.model_id ?? null } : { node: name, item: item ?? '' },
        );
      });
      const verdicts = () => shown.filter(({ node }) => node !== 'state').map(({ node, item }) => `${item}: ${node}`);
      const seen = (is: () => boolean) => eventually(async () => shown, is);
      await client.request('PUT', `/api/v1/stations/${stationId}/model`, { model_id: null });
      await seen(() => shown.at(-1)?.model === null);
      red.send('kensa-press');
      await seen(() => shown.at(-1)?.model === modelId);
      expect(await client.request('GET', `/api/v1/stations/${stationId}`)).toMatchObject({ model_id: modelId });

      const inspect = async (name: string, bytes: Buffer) =>
        client.inspect({ stationId }, [{ name: `${name}.png`, bytes }], {}, 30_000).catch(() => undefined);
      const good = await stripes(0);
      const dot = { create: { width: 30, height: 30, channels: 3, background: 'red' } } as const;
      const bad = await sharp(good)
        .composite([{ input: dot, left: 30, top: 30 }])
        .png()
        .toBuffer();
      const observer = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
      await observer.subscribeAsync('kensa/+/result', { qos: 1 });
      const result = new Promise<[string, Buffer]>((resolve) =>
        observer.once('message', (...told) => resolve([told[0], told[1]])),
      );
      await inspect('good', good);
      // What the broker sends once more is shown once.
      const [topic, payload] = await result;
      await observer.publishAsync(topic, payload, { qos: 1 });
      await inspect('bad', bad);
      const ignore = (ignore_outer: string) =>
        client.request('POST', `/api/v1/models/${modelId}/update_predict_parameters`, { ignore_outer });
      await ignore('40px');
      await inspect('small', await sharp(good).resize(40, 40).png().toBuffer());
      await ignore('none');
      await seen(() => verdicts().length >= 3);
      expect(verdicts()).toEqual(['good: OK', 'bad: NG', 'small: fault']);
      await observer.endAsync(true);
      red.disconnect();
      await once(red, 'exit');
    },
  );

  it.skipIf(!hasMono)('ModbusLine.cs passes a good product, and rejects one without an image', async () => {
    const program = join(folder, 'ModbusLine.exe');
    execFileSync('mcs', [`-out:${program}`, join(examples, 'ModbusLine.cs')]);
    const plc = await connectModbus(modbusPort, 1);
    const line = spawn('mono', [program, '127.0.0.1', String(modbusPort), '1'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    line.stdout.on('data', (text) => {
      output += text;
    });
    const said = (count: number) =>
      eventually(
        async () => output.split('\n').filter((text) => /OK/.test(text)),
        ({ length }) => length === count,
      );
    line.stdin.write('S0042\n');
    await eventually(plc.bits, (bits) => bits === 'busy');
    const file = { name: '0.png', bytes: readFileSync(images[0] ?? '') };
    const { item_id: id } = await service.client.inspect({ stationId }, [file], {}, 30_000);
    expect(await said(1)).toEqual(['OK: pass']);
    expect(await service.client.request('GET', `/api/v1/items/${id}`)).toMatchObject({ serial: 'S0042' });
    line.stdin.end('S0043\n');
    expect(await said(2)).toEqual(['OK: pass', 'not OK: reject']);
    await plc.close();
  });

  it('the broker says that a killed service is offline, also to a client that asks later', async () => {
    const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
    const told: { status: string; retained: boolean }[] = [];
    client.on('message', (_topic, payload, { retain }) => {
      told.push({ status: JSON.parse(payload.toString()).status, retained: retain });
    });
    const statusIs = (status: string) =>
      eventually(
        async () => told,
        () => told.at(-1)?.status === status,
      );
    await client.subscribeAsync('kensa/status', { qos: 1 });
    await statusIs('online');
    await service.kill();
    await statusIs('offline');
    await client.unsubscribeAsync('kensa/status');
    await client.subscribeAsync('kensa/status', { qos: 1 });
    await eventually(
      async () => told.length,
      (length) => length === 3,
    );
    expect(told[2]).toEqual({ status: 'offline', retained: true });
    await client.endAsync(true);
  });
});
