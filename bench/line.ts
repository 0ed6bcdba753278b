// From the arrival of an image to the controller: npm run bench:line [-- images]. Five images a second of one megapixel,
// by HTTP, FTP, a watched folder, and MQTT triggers, on a service of its own on loopback; requests for a verdict also on
// a PostgreSQL of its own, where that is installed. Writes bench/results/line.md.
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import sharp from 'sharp';
import { type DemoFile, demoFiles } from '../test/support/demo-images.ts';
import { findFreePort } from '../test/support/free-port.ts';
import { sendByFtp } from '../test/support/ftp-client.ts';
import { connectModbus } from '../test/support/modbus-controller.ts';
import { hasMosquitto, startBroker } from '../test/support/mosquitto.ts';
import { type SimulatedCamera, startCamera } from '../test/support/simulated-camera.ts';
import { type SpawnedService, spawnedClient, spawnService } from '../test/support/spawn-service.ts';
import { findPostgres, startPostgres } from '../test/support/start-postgres.ts';

const images = Math.max(10, Number(process.argv[2] ?? 100));
const everyMs = 200;
const pixels = 1024;
const patienceMs = 10_000;

type Send = (turn: number, begin: () => void) => Promise<unknown>;

interface Row {
  readonly from: string;
  readonly goal: string;
  /** Milliseconds to the bit of Modbus. */
  readonly bit: readonly number[];
  /** Milliseconds to the message of MQTT; empty without a broker. */
  readonly message: readonly number[];
}

interface MadeStation {
  readonly station_id: string;
  readonly ftp_login?: { readonly user: string; readonly password: string };
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(share * times.length) - 1] ?? Number.NaN;

/** Milliseconds from the request to its answer, and those of them that the service noted for the engine. */
interface Answers {
  readonly answers: readonly number[];
  readonly engine: readonly number[];
}

interface Measured extends Answers {
  readonly rows: readonly Row[];
}

const settled = 3000;

async function measure(training: readonly DemoFile[], image: (turn: number) => Uint8Array): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-line-'));
  const watched = await mkdtemp(join(tmpdir(), 'kensa-line-camera-'));
  const port = await findFreePort();
  const ftpPort = await findFreePort();
  const broker = hasMosquitto ? await startBroker() : undefined;
  let camera: SimulatedCamera | undefined;
  const service = await spawnService({
    KENSA_DATA_DIR: folder,
    KENSA_WORKERS: String(availableParallelism()),
    KENSA_MODBUS_PORT: String(port),
    KENSA_FOLDER_ROOTS: watched,
    KENSA_FTP_PORT: String(ftpPort),
    KENSA_FTP_PASSIVE_PORTS: '43000-43199',
    ...(broker ? { KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
  });
  try {
    const modelId = await train(service, training);
    const outputs = (unit: number) => [
      { kind: 'modbus', unit, timeout_ms: patienceMs },
      ...(broker ? [{ kind: 'mqtt' }] : []),
    ];
    const make = (name: string, unit: number, source: object) =>
      service.client.request<MadeStation>('POST', '/api/v1/stations/', {
        name,
        model_id: modelId,
        source,
        outputs: outputs(unit),
      });
    const { station_id: stationId } = await make('http', 1, { kind: 'http' });
    await make('folder', 2, { kind: 'folder', path: watched, after: 'delete' });
    const { ftp_login: login } = await make('ftp', 3, { kind: 'ftp' });
    if (!login) throw new Error('The station has no login.');
    camera = broker && (await startCamera(await sharp(image(0)).jpeg({ quality: 90 }).toBuffer()));
    if (camera) await make('camera', 4, { kind: 'camera', url: camera.url, trigger: 'request' });
    await pause(settled);

    const answers = await timeAnswers(service, `/api/v1/stations/${stationId}/inspect`, image);
    const engine = await readEngineMs(service, modelId);

    const ports = { modbusPort: port, brokerPort: broker?.port };
    const rows: Row[] = [];
    const measureWay = async (from: string, goal: string, station: Parameters<typeof follow>[1], send: Send) => {
      rows.push({ from, goal, ...(await follow(ports, station, send)) });
    };
    await measureWay('HTTP', '60 / 120', { name: 'http', unit: 1 }, (turn, begin) => {
      begin();
      return service.client.inspect({ stationId }, [{ name: `${turn}.jpg`, bytes: image(turn) }], {}, patienceMs);
    });
    await measureWay('FTP, from the last byte of the image', '80 / 150', { name: 'ftp', unit: 3 }, (turn, begin) =>
      sendByFtp({ port: ftpPort, ...login }, `${turn}.jpg`, image(turn), { onSent: begin }),
    );
    await measureWay('folder', '300 / 600', { name: 'folder', unit: 2 }, async (turn, begin) => {
      await writeFile(join(watched, `.${turn}`), image(turn));
      begin();
      await rename(join(watched, `.${turn}`), join(watched, `${turn}.jpg`));
    });
    if (broker) {
      const trigger = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
      const publish = (name: string, payload: Buffer | string, begin: () => void) => {
        begin();
        return trigger.publishAsync(`kensa/${name}/trigger`, payload, { qos: 1 });
      };
      await measureWay('MQTT trigger with the image', '', { name: 'http', unit: 1 }, (turn, begin) =>
        publish('http', Buffer.from(image(turn)), begin),
      );
      await measureWay('MQTT trigger of a camera, 20 images a second', '', { name: 'camera', unit: 4 }, (_, begin) =>
        publish('camera', '{}', begin),
      );
      await trigger.endAsync();
    }
    return { rows, answers, engine };
  } finally {
    await service.stop();
    await camera?.close();
    await broker?.stop();
    for (const path of [folder, watched]) await rm(path, { recursive: true, force: true });
  }
}

/** Requests for a verdict with PostgreSQL, which is started for them. @returns undefined where it is not installed */
async function measureOnPostgres(
  training: readonly DemoFile[],
  image: (turn: number) => Uint8Array,
): Promise<Answers | undefined> {
  if (!findPostgres()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'kensa-line-'));
  const broker = hasMosquitto ? await startBroker() : undefined;
  const postgres = await startPostgres({ durable: true });
  const service = await spawnService({
    KENSA_DATA_DIR: folder,
    DATABASE_URL: await postgres.createDatabase(),
    KENSA_WORKERS: String(availableParallelism()),
    KENSA_MODBUS_PORT: String(await findFreePort()),
    ...(broker ? { KENSA_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
  });
  try {
    const modelId = await train(service, training);
    const { station_id: stationId } = await service.client.request<MadeStation>('POST', '/api/v1/stations/', {
      name: 'http',
      model_id: modelId,
      outputs: [{ kind: 'modbus', unit: 1, timeout_ms: patienceMs }, ...(broker ? [{ kind: 'mqtt' }] : [])],
    });
    await pause(settled);
    const answers = await timeAnswers(service, `/api/v1/stations/${stationId}/inspect`, image);
    return { answers, engine: await readEngineMs(service, modelId) };
  } finally {
    await service.stop();
    await postgres.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function train({ client }: SpawnedService, training: readonly DemoFile[]) {
  await client.uploadItems(training, { training: 'true', good: 'true' });
  const { model_id } = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', {});
  await client.waitForModel(model_id);
  return model_id;
}

/**
 * The times from an image to the bit of a unit and to the message of its station.
 * @param send sends an image, and calls `begin` where the time starts
 */
async function follow(
  { modbusPort, brokerPort }: { modbusPort: number; brokerPort: number | undefined },
  { name, unit }: { name: string; unit: number },
  send: Send,
): Promise<{ bit: number[]; message: number[] }> {
  const plc = await connectModbus(modbusPort, unit);
  const client = brokerPort && (await connectAsync(`mqtt://127.0.0.1:${brokerPort}`, { protocolVersion: 5 }));
  let toldAt = 0;
  if (client) {
    client.on('message', () => {
      toldAt = performance.now();
    });
    await client.subscribeAsync(`kensa/${name}/result`, { qos: 1 });
  }
  const [bit, message]: [number[], number[]] = [[], []];
  const sequence = async (): Promise<number> => (await plc.registers())[0] ?? 0;
  for (let turn = 0; turn < images; turn++) {
    const before = await sequence();
    let startedAt = performance.now();
    const sent = send(turn, () => {
      startedAt = performance.now();
    });
    while ((await sequence()) === before || (await plc.bits()).includes('busy')) {
      if (performance.now() - startedAt > patienceMs) throw new Error('No bit was set.');
    }
    bit.push(performance.now() - startedAt);
    if (!(await plc.bits()).includes('valid')) throw new Error(`An image had no verdict: ${await plc.bits()}.`);
    await sent;
    while (client && toldAt < startedAt) {
      if (performance.now() - startedAt > patienceMs) throw new Error('No message came.');
      await pause(1);
    }
    if (client) message.push(toldAt - startedAt);
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  await plc.close();
  if (client) await client.endAsync();
  return { bit, message };
}

/**
 * The times from the first byte of a request to the last of its answer, one request after the other. Each is put
 * together before its time starts.
 */
async function timeAnswers(
  service: SpawnedService,
  path: string,
  image: (turn: number) => Uint8Array,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const authorization = await authorize(service);
  const times: number[] = [];
  for (let turn = 0; turn < images; turn++) {
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(image(turn))]), `${turn}.jpg`);
    const whole = new Request(service.url, { method: 'POST', body: form });
    const type = whole.headers.get('content-type') ?? '';
    const body = Buffer.from(await whole.arrayBuffer());
    const headers = { authorization, 'content-type': type, 'content-length': body.length };
    const startedAt = performance.now();
    const sent = request(`${service.url}${path}`, { method: 'POST', agent, headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await answer.setEncoding('utf8').reduce((all, chunk) => all + chunk, '');
    times.push(performance.now() - startedAt);
    if (answer.statusCode !== 200) throw new Error(`An image had no verdict: ${text}`);
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  agent.destroy();
  return times;
}

/** What the engine took for each image, as the service noted it. */
async function readEngineMs(service: SpawnedService, modelId: string): Promise<number[]> {
  const headers = { authorization: await authorize(service) };
  const path = `/api/v1/targets/model/results?model_ids=${modelId}`;
  const csv = await fetch(`${service.url}${path}`, { method: 'POST', headers });
  const [head = '', ...lines] = (await csv.text()).trim().split(/\r?\n/);
  const column = head.split(',').indexOf('duration_ms');
  return lines.map((line) => Number(line.split(',')[column]));
}

async function authorize({ url }: SpawnedService): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = spawnedClient;
  const login = JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' });
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: login };
  const { access_token } = (await (await fetch(`${url}/api/auth/token`, options)).json()) as { access_token: string };
  return `Bearer ${access_token}`;
}

function describe({ answers, engine }: Answers): string {
  const [answerMs, engineMs] = [quantile(answers, 0.5), quantile(engine, 0.5)];
  return `in ${answerMs.toFixed(1)} ms at p50, ${(answerMs - engineMs).toFixed(1)} ms more than the ${engineMs.toFixed(1)} ms of
the engine in the same requests`;
}

function render({ rows, ...answers }: Measured, onPostgres: Answers | undefined, load: number): string {
  const cell = (times: readonly number[]): string =>
    times.length === 0 ? '–' : [0.5, 0.99].map((share) => quantile(times, share).toFixed(0)).join(' / ');
  const lines = rows.map(({ from, goal, bit, message }) => `| ${from} | ${cell(bit)} | ${goal} | ${cell(message)} |`);
  return `# From the image to the controller

\`npm run bench:line\`, ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'},
load ${load.toFixed(1)} at the start. ${images} images each of ${pixels}×${pixels} pixels, ${1000 / everyMs} a second, over loopback.
Milliseconds from the start of the sending to the bit or the message. A load far above 0 at the start means that other
work shared the cores: such figures are an upper bound, and say nothing of the goals.

| From | Modbus bit, p50 / p99 | Goal | MQTT result, p50 / p99 |
|---|---|---|---|
${lines.join('\n')}

\`POST /api/v1/stations/{station_id}/inspect\` answers ${describe(answers)}.
${onPostgres ? `With PostgreSQL on the same machine it answers ${describe(onPostgres)}.` : 'PostgreSQL is not installed here, so requests with it were not measured.'}
The goal is 10 ms more.

The engine takes ${quantile(answers.engine, 0.5).toFixed(0)} ms of this for an image. The rest is: receiving and storing the image, the commit to the disk,
the hand-over to the compute process and back, and for a folder the wait until its file is complete (150 ms). The best
figure that we know of for such a system is 9 ms from capture to coil, on a GPU with a small detector.
`;
}

const [load = 0] = loadavg();
const { training, test } = await demoFiles({ good: 12, testGood: 6, testDefect: 6 }, { pixels });
const imageOf = (turn: number): Uint8Array => test[turn % test.length]?.bytes ?? new Uint8Array();
const report = render(await measure(training, imageOf), await measureOnPostgres(training, imageOf), load);
await writeFile(new URL('results/line.md', import.meta.url), report);
console.log(report);
