import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';
import { expectError } from '../support/expect-error.ts';
import { findFreePort } from '../support/free-port.ts';
import { hasMbpoll, pollBits } from '../support/mbpoll.ts';
import { connectModbus, type ModbusController } from '../support/modbus-controller.ts';
import { sendForm } from '../support/multipart.ts';
import { findChildren } from '../support/spawn-service.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

const unit = 7;
const timeoutMs = 4000;

let service: TestService;
let modelId: string;
let otherId: string;
let port: number;
let stationId: string;
let plc: ModbusController;
let isStopped = false;
let root: string;

const outputs = () => [
  {
    kind: 'modbus',
    unit,
    timeout_ms: timeoutMs,
    recipes: [
      { number: 1, model_id: modelId },
      { number: 2, model_id: otherId },
      { number: 3, model_id: 'deleted' },
    ],
  },
];
const path = () => `/api/v1/stations/${stationId}`;
const change = async (body: object) => expect((await service.call('PUT', path(), { body })).status).toBe(200);
const setModel = (model: string | null) => service.call('PUT', `${path()}/model`, { body: { model_id: model } });
const bits = (awaited: string) => eventually(plc.bits, (found) => found === awaited, 15_000);

/** Sends one image; a defect is a white square. */
async function send(kind: 'good' | 'bad' | 'broken' = 'good', fields: Record<string, string> = {}) {
  const good = await stripes(1);
  const bytes = kind === 'broken' ? good.subarray(0, 500) : kind === 'bad' ? await scratched() : good;
  const texts = Object.entries(fields).map(([field, text]) => ({ field, text }));
  const query = `${path()}/inspect?timeout_ms=30000`;
  return sendForm(service, query, [...texts, { field: 'files', file: { name: 'a.png', bytes } }]);
}

beforeAll(async () => {
  port = await findFreePort();
  root = await mkdtemp(join(tmpdir(), 'kensa-modbus-'));
  service = await startTestService({
    KENSA_MODBUS_PORT: String(port),
    KENSA_QUEUE_LIMIT: '20',
    KENSA_FOLDER_ROOTS: root,
  });
  const trained = await trainSmallModel(service);
  ({ modelId } = trained);
  const zip = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
  const file = { name: 'm.zip', bytes: zip.bytes };
  const imported = await sendForm(service, '/api/v1/models/import', [{ field: 'models', file }]);
  otherId = dataOf<{ model_id: string }[]>(imported)[0]?.model_id ?? '';
}, 480_000);
afterAll(async () => {
  if (!isStopped) await service.stop();
  await rm(root, { recursive: true, force: true });
});

beforeEach(async () => {
  const body = { name: `press ${Math.random()}`, model_id: modelId, outputs: outputs() };
  const made = await service.call('POST', '/api/v1/stations/', { body });
  stationId = dataOf<{ station_id: string }>(made).station_id;
  plc = await connectModbus(port, unit);
  await bits('ready');
});
afterEach(async () => {
  await plc.close();
  if (!isStopped) await service.call('DELETE', path());
});

describe('an image of a station', () => {
  it('sets busy, then valid and OK or NG, with the registers of its verdict', async () => {
    const good = dataOf<{ assessments: { anomaly_score: string }[] }>(await send());
    await bits('ready valid ok');
    const score = Math.round(Number(good.assessments[0]?.anomaly_score) * 10_000);
    const first = await plc.registers();
    expect(first.slice(0, 10)).toEqual([1, 1, score, 0, 0, 0, 1, 0, 0, 1]);
    expect(first[10]).toBeGreaterThan(0);
    const bad = dataOf<{ assessments: { detected_objects: number }[] }>(await send('bad'));
    await bits('ready valid ng');
    const second = await plc.registers();
    expect([second[0], second[1], second[3], second[6], second[8]]).toEqual([
      2,
      2,
      bad.assessments[0]?.detected_objects,
      2,
      1,
    ]);
    await plc.acknowledge();
    expect(await plc.bits()).toBe('ready');
    expect((await plc.registers())[1]).toBe(0);
  });

  it('answers the trigger of a controller, whose serial number it gets', async () => {
    await plc.write(1, [0x5331, 0x3233, 0x3400]);
    await plc.coil(0, true);
    expect(await plc.bits()).toBe('busy');
    const item = dataOf<{ serial: string }>(await send());
    expect(item.serial).toBe('S1234');
    await bits('ready valid ok');
    expect((await plc.registers())[0]).toBe(1);
    // Written again and again, as some controllers do: the trigger is its edge.
    await plc.coil(0, true);
    await bits('ready valid ok');
    await plc.coil(0, false);
    await plc.coil(0, true);
    expect(await plc.bits()).toBe('busy');
    expect((await plc.registers())[0]).toBe(2);
  });

  it('of another serial number than the trigger gave is a fault', async () => {
    await plc.write(1, [0x4100]);
    await plc.trigger();
    dataOf(await send('good', { serial: 'B' }));
    expect(await bits('ready fault')).toBe('ready fault');
  });

  it('leaves the heartbeat beating', async () => {
    const seen = new Set<boolean>();
    await eventually(plc.heartbeat, (beat) => seen.add(beat).size === 2, 5000);
  });
});

describe('OK is 0', () => {
  beforeEach(async () => {
    dataOf(await send());
    await bits('ready valid ok');
    if (hasMbpoll) expect(await pollBits(port, unit)).toBe('ready valid ok');
  });
  // Another client than that of the tests reads the same.
  afterEach(async () => {
    if (!hasMbpoll) return;
    const polled = await pollBits(port, unit);
    expect(polled).toBe(await plc.bits());
    expect(polled).not.toMatch(/ok/);
  });

  it('after a new trigger, and a fault where no image comes', async () => {
    await plc.trigger();
    expect(await plc.bits()).toBe('busy');
    await bits('ready fault');
    expect((await plc.registers()).slice(0, 3)).toEqual([2, 3, 0]);
  });

  it('where the image is damaged', async () => {
    expectError(await send('broken'), 422);
    expect(await bits('ready fault')).toBe('ready fault');
  });

  it('where the upload is refused', async () => {
    expectError(await sendForm(service, `${path()}/inspect`, [{ field: 'serial', text: 'S' }]), 422);
    expect(await plc.bits()).toBe('ready fault');
  });

  it('without a model, and triggers are faults until it has one', async () => {
    await setModel(null);
    expect(await plc.bits()).toBe('fault');
    await plc.acknowledge();
    await plc.trigger();
    expect(await plc.bits()).toBe('fault');
    expectError(await send(), 409);
    expect(await plc.bits()).toBe('fault');
    await setModel(modelId);
    expect(await plc.bits()).toBe('ready fault');
    await plc.acknowledge();
    expect(await plc.bits()).toBe('ready');
  });

  it('where the station is switched off', async () => {
    await change({ enabled: false });
    expect(await plc.bits()).toBe('fault');
  });

  it('where the verdict takes too long', async () => {
    const frozen = stopProcesses();
    try {
      const answer = send();
      await bits('busy');
      await bits('ready fault');
      frozen('SIGCONT');
      dataOf(await answer);
      expect(await plc.bits()).toBe('ready fault');
    } finally {
      frozen('SIGCONT');
    }
  });

  it('where a compute process is killed', async () => {
    for (const pid of findChildren(process.pid, 'worker')) process.kill(pid, 'SIGKILL');
    expect(await bits('ready fault')).toBe('ready fault');
  });

  it('where the queue is full', async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => ({ name: `${n}.png`, bytes: await stripes(n) })),
    );
    const ids = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' })).item_ids;
    const frozen = stopProcesses();
    try {
      const predict = (model: string, items: string[]) =>
        service.call('POST', `/api/v1/models/${model}/predict`, { body: { item_ids: items } });
      // Two run, and all the others wait.
      dataOf(await predict(modelId, ids.slice(0, 2)));
      await eventually(
        () => predict(otherId, ids),
        ({ status }) => status === 200,
      );
      const sentAt = performance.now();
      expectError(await send(), 425);
      // At once: the refusal waits for no compute process.
      expect(performance.now() - sentAt).toBeLessThan(10_000);
      expect(await bits('fault')).toBe('fault');
    } finally {
      frozen('SIGCONT');
    }
    await eventually(plc.bits, (found) => found === 'ready fault', 60_000);
  });
});

it('a file that grows in a watched folder is no fault; one that cannot be read is, and so is a folder that is away', async () => {
  const watched = join(root, 'watched');
  await mkdir(watched);
  await change({ source: { kind: 'folder', path: watched, after: 'delete' } });
  const seen = new Set<string>();
  const followed = (awaited: string) =>
    eventually(plc.bits, (found) => {
      seen.add(found);
      return found === awaited;
    });
  await followed('ready');
  // What was there before the trigger belongs to the test above.
  seen.clear();
  await plc.trigger();
  const bytes = await stripes(1);
  for (const part of [bytes.subarray(0, 1000), bytes.subarray(1000, 2000), bytes.subarray(2000)]) {
    await appendFile(join(watched, 'slow.png'), part);
    for (let look = 0; look < 5; look++) {
      seen.add(await plc.bits());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await followed('ready valid ok');
  expect([...seen]).not.toContainEqual(expect.stringContaining('fault'));
  expect((await plc.registers())[0]).toBe(1);
  await writeFile(join(watched, 'bad.png'), 'no image');
  await followed('ready fault');
  await plc.acknowledge();
  await rename(watched, `${watched}-away`);
  await followed('fault');
  await plc.trigger();
  expect(await plc.bits()).toBe('fault');
  await rename(`${watched}-away`, watched);
  await followed('ready fault');
});

describe('a recipe', () => {
  it('changes the model, also written again and again', async () => {
    expect(await plc.recipe()).toBe(1);
    await plc.write(0, [2]);
    await plc.write(0, [2]);
    await eventually(plc.recipe, (recipe) => recipe === 2);
    await bits('ready');
    const item = dataOf<{ assessments: { model_id: string }[] }>(await send());
    expect(item.assessments[0]?.model_id).toBe(otherId);
    const acts = service.db
      .selectFrom('audit_log')
      .selectAll()
      .where('act', '=', 'station.model')
      .orderBy('seq', 'desc');
    const entry = await acts.executeTakeFirst();
    expect(entry).toMatchObject({ caller_kind: 'station', caller_id: entry?.target_id });
    expect(entry?.caller_name).toMatch(/^press /);
    expect(JSON.parse(entry?.details ?? '')).toMatchObject({ before: modelId, after: otherId });
    await plc.write(0, [2]);
    await plc.write(0, [0]);
    await bits('ready valid ok');
  });

  it.each([9, 3])('without a model keeps OK at 0 until one is chosen (%i)', async (number) => {
    dataOf(await send());
    await plc.write(0, [number]);
    await bits('fault');
    await plc.trigger();
    dataOf(await send());
    expect(await plc.bits()).toBe('fault');
    await plc.write(0, [1]);
    await bits('ready fault');
    await send();
    await bits('ready valid ok');
  });
});

describe('requests', () => {
  it.each([
    ['an unknown unit', async () => plc.client.setID(99) ?? (await plc.bits()), 11],
    ['a discrete input too far', () => plc.client.readDiscreteInputs(5, 3), 2],
    ['an input register too far', () => plc.client.readInputRegisters(11, 1), 2],
    ['a coil too far', () => plc.client.writeCoil(2, true), 2],
    ['registers too far', () => plc.client.writeRegisters(16, [1, 2]), 2],
  ])('for %s are refused', async (_what, ask, code) => {
    await expect(ask()).rejects.toMatchObject({ modbusCode: code });
  });

  it('that are no Modbus do no harm', async () => {
    const frame = fc.sample(fc.uint8Array({ minLength: 0, maxLength: 300 }), 300);
    for (const bytes of frame) {
      const header = Buffer.alloc(6);
      header.writeUInt16BE(bytes.length, 4);
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(Buffer.concat([bytes.length % 2 === 0 ? header : Buffer.alloc(0), bytes]));
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.destroy();
    }
    expect(await plc.bits()).toMatch(/ready/);
  });
});

describe('settings', () => {
  const create = (body: object) => service.call('POST', '/api/v1/stations/', { body: { name: 'another', ...body } });

  it.each([
    [[{ kind: 'modbus', unit }], 'outputs.0.unit'],
    [[{ kind: 'modbus' }], 'outputs.0.unit'],
    [[{ kind: 'modbus', unit: 248 }], 'outputs.0.unit'],
    [[{ kind: 'modbus', unit: 8, url: 'http://a' }], 'outputs.0.url'],
    [
      [
        { kind: 'modbus', unit: 8 },
        { kind: 'modbus', unit: 9 },
      ],
      'outputs.1.kind',
    ],
    [[{ kind: 'modbus', unit: 8, recipes: [1, 1].map((number) => ({ number, model_id: 'm' })) }], 'outputs.0.recipes'],
    [[{ kind: 'webhook' }], 'outputs.0.url'],
    [[{ kind: 'webhook', url: 'ftp://plc.local' }], 'outputs.0.url'],
    [[{ kind: 'webhook', url: 'http://no-such-host.invalid/' }], 'outputs.0.url'],
    [[{ kind: 'webhook', url: 'http://127.0.0.1:9/' }], 'outputs.0.url'],
  ])('are refused in words: %j', async (settings, key) => {
    expectError(await create({ outputs: settings }), 422, key);
  });

  it('keep what is set while Modbus is off or a receiver is away', async () => {
    await change({ name: 'renamed', outputs: outputs() });
  });

  it('of the service are refused where the port is taken', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kensa-modbus-'));
    const settings = { KENSA_DATA_DIR: dataDir, PORT: '0', KENSA_WORKERS: '1', KENSA_LOG_LEVEL: 'silent' };
    const start = startService(loadConfig({ ...settings, KENSA_MODBUS_PORT: String(port) }));
    await expect(start).rejects.toThrow(/Modbus at port \d+.*EADDRINUSE.*KENSA_MODBUS_PORT/s);
    await rm(dataDir, { recursive: true });
  });
});

it('a stop of the service takes everything back and drops the connection', async () => {
  dataOf(await send());
  await bits('ready valid ok');
  const closed = new Promise<void>((resolve) => plc.client.on('close', resolve));
  await service.stop();
  isStopped = true;
  await closed;
  await expect(connectModbus(port, unit)).rejects.toThrow();
});

/** Stops the compute processes as an overloaded machine would. @returns sends them a signal */
function stopProcesses(): (signal: NodeJS.Signals) => void {
  const pids = findChildren(process.pid, 'worker');
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids.filter((one) => findChildren(process.pid, 'worker').includes(one))) process.kill(pid, name);
  };
  signal('SIGSTOP');
  return signal;
}

async function scratched(): Promise<Buffer> {
  const white = { create: { width: 40, height: 12, channels: 3 as const, background: '#ffffff' } };
  return sharp(await stripes(1))
    .composite([{ input: white, left: 30, top: 40 }])
    .png()
    .toBuffer();
}
