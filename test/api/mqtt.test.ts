import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { hasMosquitto, readPem, startBroker, type TestBroker } from '../support/mosquitto.ts';
import { sendForm } from '../support/multipart.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Message {
  readonly topic: string;
  readonly body: Record<string, unknown>;
  readonly retained: boolean;
  readonly qos: number;
  readonly correlation: string | undefined;
}

let dataDir: string;
let broker: TestBroker;
let service: TestService;
let subscriber: MqttClient;
let modelId: string;
let stationId: string;
const messages: Message[] = [];

async function subscribe(): Promise<MqttClient> {
  const client = await connectAsync(`mqtts://127.0.0.1:${broker.port}`, {
    protocolVersion: 5,
    // The broker keeps nothing over a restart: the subscriber has to be back before the service, which waits a second.
    reconnectPeriod: 20,
    ca: readPem(broker.files.ca),
    cert: readPem(broker.files.certificate),
    key: readPem(broker.files.key),
  });
  client.on('message', (topic, payload, packet) => {
    if (/\/(trigger|set)$/.test(topic)) return;
    const correlation = packet.properties?.correlationData?.toString();
    const body = payload.length === 0 ? {} : (JSON.parse(payload.toString()) as Message['body']);
    messages.push({ topic, body, retained: packet.retain, qos: packet.qos, correlation });
  });
  await client.subscribeAsync(['kensa/#', 'answers/#'], { qos: 1 });
  return client;
}
const of = (topic: string) => messages.filter((message) => message.topic === topic);
const until = (topic: string, isIt: (body: Message['body']) => boolean) =>
  eventually(
    async () => of(topic).findLast(({ body }) => isIt(body)),
    (found) => found !== undefined,
    20_000,
  );
const send = async (serial: string) => {
  const file = { name: 'a.png', bytes: await stripes(1) };
  const parts = [
    { field: 'serial', text: serial },
    { field: 'files', file },
  ];
  const path = `/api/v1/stations/${stationId}/inspect?timeout_ms=30000`;
  return dataOf<{ item_id: string }>(await sendForm(service, path, parts)).item_id;
};
let asked = 0;
/** @returns what the service answers */
async function command(action: string, payload: string | Buffer, userProperties?: Record<string, string>) {
  const correlation = `c${++asked}`;
  const properties = { responseTopic: 'answers/plc', correlationData: Buffer.from(correlation) };
  const given = userProperties ? { ...properties, userProperties } : properties;
  await subscriber.publishAsync(`kensa/press 1/${action}`, payload, { qos: 1, properties: given });
  const answer = await eventually(
    async () => of('answers/plc').find((message) => message.correlation === correlation),
    (found) => found !== undefined,
  );
  return answer?.body ?? {};
}

describe.skipIf(!hasMosquitto)('MQTT, by TLS with a client certificate', () => {
  beforeAll(async () => {
    broker = await startBroker({ tls: true });
    subscriber = await subscribe();
    dataDir = await mkdtemp(join(tmpdir(), 'kensa-mqtt-'));
    service = await start();
    ({ modelId } = await trainSmallModel(service));
    await until('kensa/status', ({ status }) => status === 'online');
    const body = { name: 'press 1', model_id: modelId, outputs: [{ kind: 'mqtt' }] };
    stationId = dataOf<{ station_id: string }>(await service.call('POST', '/api/v1/stations/', { body })).station_id;
  }, 300_000);
  afterAll(async () => {
    await subscriber?.endAsync(true);
    await service?.stop();
    await broker?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = () => {
    const settings = {
      KENSA_MQTT_URL: `mqtts://127.0.0.1:${broker.port}`,
      KENSA_MQTT_CA: broker.files.ca,
      KENSA_MQTT_CERTIFICATE: broker.files.certificate,
      KENSA_MQTT_KEY: broker.files.key,
    };
    return startTestService(settings, { dataDir });
  };

  it('publishes each result with what the product is', async () => {
    const itemId = await send('S1');
    const { body, qos } = (await until('kensa/press 1/result', ({ item_id }) => item_id === itemId)) ?? {};
    expect(qos).toBe(1);
    expect(body).toMatchObject({
      station: 'press 1',
      station_id: stationId,
      result: 'OK',
      serial: 'S1',
      model_id: modelId,
      model_version: 1,
      regions: 0,
      reason: null,
    });
    expect(body?.['anomaly_score']).toBeGreaterThan(0);
    const shown = dataOf<{ pending: number; deliveries: object[] }>(
      await eventually(
        () => service.call('GET', `/api/v1/stations/${stationId}/deliveries`),
        (answer) => dataOf<{ pending: number }>(answer).pending === 0,
      ),
    );
    expect(shown.deliveries[0]).toMatchObject({ output: 'mqtt', item_id: itemId, status: 'delivered' });
  });

  it('publishes an inspection without a verdict as a fault', async () => {
    const parameters = `/api/v1/models/${modelId}/update_predict_parameters`;
    await service.call('POST', parameters, { body: { ignore_outer: '40px' } });
    const bytes = await sharp(await stripes(1))
      .resize(40, 40)
      .png()
      .toBuffer();
    const path = `/api/v1/stations/${stationId}/inspect?timeout_ms=30000`;
    expectError(await sendForm(service, path, [{ field: 'files', file: { name: 'small.png', bytes } }]), 422);
    await service.call('POST', parameters, { body: { ignore_outer: 'none' } });
    const found = await until('kensa/press 1/result', ({ name }) => name === 'small');
    expect(found?.body).toMatchObject({ result: 'FAULT', label: null, reason: expect.stringMatching(/\w/) });
  });

  it('keeps the state of a station at the broker', async () => {
    const topic = 'kensa/press 1/state';
    await until(topic, ({ ready, queue }) => ready === true && queue === 0);
    await service.call('PUT', `/api/v1/stations/${stationId}/model`, { body: { model_id: null } });
    const found = await until(topic, ({ ready }) => ready === false);
    expect(found?.body).toMatchObject({ model: null, source: 'http', fault: expect.stringContaining('no model') });
    await service.call('PUT', `/api/v1/stations/${stationId}/model`, { body: { model_id: modelId } });
    await until(topic, ({ ready, model }) => ready === true && model !== null);
    const late = await subscribe();
    await eventually(
      async () => of(topic).some(({ retained }) => retained),
      (is) => is,
    );
    await late.endAsync(true);
  });

  it('carries out triggers with an image, and answers with the result', async () => {
    const image = (await stripes(2)).toString('base64');
    const json = { serial: 'S7', lot: 'L', fields: { shift: '2' }, image, timeout_ms: 30_000 };
    const answer = await command('trigger', JSON.stringify(json));
    expect(answer).toMatchObject({ result: 'OK', serial: 'S7', lot: 'L', fields: { shift: '2' } });
    const properties = { serial: 'S8', timeout_ms: '30000' };
    expect(await command('trigger', await stripes(3), properties)).toMatchObject({ result: 'OK', serial: 'S8' });
    await until('kensa/press 1/result', ({ serial }) => serial === 'S8');
  });

  it.each([
    ['trigger', '{}', 'station-no-trigger'],
    ['trigger', '{"serial":5}', 'invalid-request'],
    ['trigger', '{"colour":"red"}', 'invalid-request'],
    ['trigger', '{"image":"????"}', 'invalid-request'],
    ['trigger', '{', 'malformed-body'],
    ['trigger', 'no image', 'image-invalid'],
    ['trigger', '{"serial":"\\u0000"}', 'invalid-request'],
    ['model/set', '{"model_id":"nobody"}', 'invalid-request'],
    ['model/set', '{"recipe":8}', 'invalid-request'],
    ['model/set', '', 'invalid-request'],
  ])('refuses the command %s %s in words', async (action, payload, code) => {
    const { error } = (await command(action, payload)) as { error?: { code: string; detail: string } };
    expect(error?.code).toBe(code);
    expect(error?.detail).toMatch(/\w+ \w+/);
  });

  it('changes the model; in the audit trail, the station did it', async () => {
    const stationActs = async () => {
      const entries = service.db.selectFrom('audit_log').selectAll().where('act', '=', 'station.model').orderBy('seq');
      return (await entries.execute()).map((entry) => `${entry.caller_kind} ${entry.caller_name}`);
    };
    const answer = await command('model/set', JSON.stringify({ model_id: modelId }));
    expect(answer).toEqual({ station_id: stationId, model_id: modelId });
    // No change, no act.
    expect(await stationActs()).toEqual(['client tests', 'client tests']);
    await service.call('PUT', `/api/v1/stations/${stationId}/model`, { body: { model_id: null } });
    await command('model/set', JSON.stringify({ model_id: modelId }));
    expect((await stationActs()).slice(2)).toEqual(['client tests', 'station press 1']);
  });

  it('does not answer at topics of its own, and takes no message that the broker has kept', async () => {
    const properties = { responseTopic: 'kensa/press 1/result' };
    await subscriber.publishAsync('kensa/press 1/model/set', '{"model_id":"x"}', { qos: 1, properties });
    await subscriber.publishAsync('kensa/press 1/trigger', '{}', { qos: 1, retain: true, properties });
    await command('trigger', '{}');
    expect(of('kensa/press 1/result').some(({ body }) => 'error' in body)).toBe(false);
    await subscriber.publishAsync('kensa/press 1/trigger', '', { qos: 1, retain: true });
  });

  it('brings every result once and in order after the broker was away, and says meanwhile that it is', async () => {
    const serials = Array.from({ length: 8 }, (_, n) => `away ${n}`);
    await send('before');
    await broker.kill();
    for (const serial of serials) await send(serial);
    const { state } = dataOf<{ state: { fault: { status_messages: { code: string }[] } | null } }>(
      await service.call('GET', `/api/v1/stations/${stationId}`),
    );
    expect(state.fault?.status_messages.map(({ code }) => code)).toEqual(['mqtt.away']);
    const health = async () => {
      const { mqtt } = (await service.call('GET', '/readyz')).body as unknown as { mqtt: string };
      const metrics = (await service.call('GET', '/metrics')).bytes.toString();
      const connected = /^kensa_mqtt_connected (\d)$/m.exec(metrics)?.[1];
      const waiting = Number(/^kensa_station_results_waiting\{output="mqtt"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
      return { mqtt, connected, waiting };
    };
    const { waiting, ...broken } = await health();
    expect(broken).toEqual({ mqtt: 'away', connected: '0' });
    expect(waiting).toBeGreaterThanOrEqual(serials.length);
    const create = { name: 'other', outputs: [{ kind: 'mqtt' }] };
    expectError(await service.call('POST', '/api/v1/stations/', { body: create }), 422, 'outputs.0.kind');
    await broker.start();
    await eventually(
      async () => subscriber.connected,
      (is) => is,
    );
    await until('kensa/press 1/result', ({ serial }) => serial === serials.at(-1));
    const told = of('kensa/press 1/result').map(({ body }) => body);
    const first = new Map(told.map((body) => [body['item_id'], body]).reverse() as [unknown, Message['body']][]);
    const inOrder = [...first.values()].reverse().map(({ serial }) => serial);
    expect(inOrder.filter((serial) => String(serial).startsWith('away'))).toEqual(serials);
    await eventually(
      async () => dataOf<{ state: object }>(await service.call('GET', `/api/v1/stations/${stationId}`)).state,
      (now) => (now as { fault: unknown }).fault === null,
    );
    await eventually(health, (now) => now.mqtt === 'connected' && now.connected === '1' && now.waiting === 0);
  }, 60_000);

  it('refuses names that are no part of a topic, and clears the state of a name that is gone', async () => {
    const path = `/api/v1/stations/${stationId}`;
    for (const name of ['a/b', 'a+', '#', 'status'])
      expectError(await service.call('PUT', path, { body: { name } }), 422, 'outputs.0.kind');
    await service.call('PUT', path, { body: { name: 'press 2' } });
    await until('kensa/press 2/state', ({ ready }) => ready === true);
    await until('kensa/press 1/state', (body) => !('ready' in body));
    await service.call('PUT', path, { body: { name: 'press 1' } });
  });

  it('works with the command line of mosquitto', async () => {
    const { ca, certificate, key } = broker.files;
    const tls = ['-h', '127.0.0.1', '-p', String(broker.port), '--cafile', ca, '--cert', certificate, '--key', key];
    const got = execFileSync('mosquitto_sub', [...tls, '-V', '5', '-t', 'kensa/status', '-C', '1', '-W', '10']);
    expect(JSON.parse(got.toString())).toMatchObject({ status: 'online' });
  });

  it('says that it goes', async () => {
    await service.stop();
    await until('kensa/status', ({ status }) => status === 'offline');
    service = { ...service, stop: async () => undefined };
  });

  it('stops also while the broker does not answer, and keeps the result', async () => {
    messages.length = 0;
    service = await start();
    await until('kensa/press 1/state', ({ ready }) => ready === true);
    broker.freeze();
    await send('unanswered');
    // The result is on its way.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const stoppedAt = performance.now();
    await service.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(15_000);
    service = { ...service, stop: async () => undefined };
    await broker.kill();
    await broker.start();
    await eventually(
      async () => subscriber.connected,
      (is) => is,
    );
    service = await start();
    await until('kensa/press 1/result', ({ serial }) => serial === 'unanswered');
  }, 60_000);
});

it('an MQTT output is refused where no broker is set', async () => {
  const plain = await startTestService({}, { work: false });
  const body = { name: 'a', outputs: [{ kind: 'mqtt' }] };
  const refused = await plain.call('POST', '/api/v1/stations/', { body });
  expect(expectError(refused, 422, 'outputs.0.kind').detail).toContain('KENSA_MQTT_URL');
  await plain.stop();
});

it.skipIf(!hasMosquitto)(
  'MQTT with user and password: the right ones open, wrong ones are refused in words',
  async () => {
    const login = { user: 'press', password: 'right-for-the-broker' };
    const asking = await startBroker({ login });
    const startWith = (password: string) => {
      const KENSA_MQTT_URL = `mqtt://127.0.0.1:${asking.port}`;
      const settings = { KENSA_MQTT_URL, KENSA_MQTT_USER: login.user, KENSA_MQTT_PASSWORD: password };
      return startTestService(settings);
    };
    const body = { name: 'a', outputs: [{ kind: 'mqtt' }] };
    const [right, wrong] = await Promise.all([startWith(login.password), startWith('wrong-for-the-broker')]);
    await eventually(
      () => right.call('POST', '/api/v1/stations/', { body }),
      ({ status }) => status < 300,
    );
    const refused = expectError(await wrong.call('POST', '/api/v1/stations/', { body }), 422, 'outputs.0.kind');
    expect(refused.detail).toMatch(/not authorized/i);
    expect(refused.detail).not.toContain('wrong-for-the-broker');
    await Promise.all([right.stop(), wrong.stop()]);
    await asking.stop();
  },
);
