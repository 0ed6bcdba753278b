// From the arrival of an image to the controller: npm run bench:line [-- images]. Five images a second of one megapixel,
// by HTTP, FTP, a watched folder, and MQTT triggers, on a service of its own on loopback. Writes bench/results/line.md.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import sharp from 'sharp';
import { demoFiles } from '../test/support/demo-images.ts';
import { findFreePort } from '../test/support/free-port.ts';
import { sendByFtp } from '../test/support/ftp-client.ts';
import { connectModbus } from '../test/support/modbus-controller.ts';
import { hasMosquitto, startBroker } from '../test/support/mosquitto.ts';
import { type SimulatedCamera, startCamera } from '../test/support/simulated-camera.ts';
import { type SpawnedService, spawnedClient, spawnService } from '../test/support/spawn-service.ts';

const images = Math.max(10, Number(process.argv[2] ?? 100));
const everyMs = 200;
const pixels = 1024;
const patienceMs = 10_000;

interface Row {
  readonly from: string;
  readonly to: string;
  readonly goal: string;
  readonly times: readonly number[];
}

interface MadeStation {
  readonly station_id: string;
  readonly ftp_login?: { readonly user: string; readonly password: string };
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(share * times.length) - 1] ?? Number.NaN;

async function measure(): Promise<{ rows: Row[]; engineMs: number }> {
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
    const { training, test } = await demoFiles({ good: 12, testGood: 6, testDefect: 6 }, { pixels });
    const modelId = await train(service, training);
    const image = (turn: number): Uint8Array => test[turn % test.length]?.bytes ?? new Uint8Array();
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
    await pause(3000);

    const byHttp = await toBit(port, 1, (turn, begin) => {
      begin();
      return service.client.inspect({ stationId }, [{ name: `${turn}.jpg`, bytes: image(turn) }], {}, patienceMs);
    });
    const byFtp = await toBit(port, 3, (turn, begin) =>
      sendByFtp({ port: ftpPort, ...login }, `${turn}.jpg`, image(turn), { onSent: begin }),
    );
    const byFolder = await toBit(port, 2, async (turn, begin) => {
      await writeFile(join(watched, `.${turn}`), image(turn));
      begin();
      await rename(join(watched, `.${turn}`), join(watched, `${turn}.jpg`));
    });
    const rows: Row[] = [
      { from: 'HTTP', to: 'Modbus bit', goal: '60 / 120', times: byHttp },
      { from: 'FTP, from the last byte of the image', to: 'Modbus bit', goal: '80 / 150', times: byFtp },
      { from: 'folder', to: 'Modbus bit', goal: '300 / 600', times: byFolder },
    ];
    if (broker) {
      const withImage = await toMessage(broker.port, 'http', (turn) => Buffer.from(image(turn)));
      rows.push({ from: 'MQTT trigger with the image', to: 'MQTT result', goal: '', times: withImage });
      // As JSON: the camera gives the image.
      const asked = await toMessage(broker.port, 'camera', (turn) => JSON.stringify({ serial: `bench ${turn}` }));
      rows.push({ from: 'MQTT trigger of a camera, 20 images a second', to: 'MQTT result', goal: '', times: asked });
    }
    return { rows, engineMs: await readEngineMs(service, modelId) };
  } finally {
    await service.stop();
    await camera?.close();
    await broker?.stop();
    for (const path of [folder, watched]) await rm(path, { recursive: true, force: true });
  }
}

async function train({ client }: SpawnedService, training: Parameters<SpawnedService['client']['uploadItems']>[0]) {
  await client.uploadItems(training, { training: 'true', good: 'true' });
  const { model_id } = await client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', {});
  await client.waitForModel(model_id);
  return model_id;
}

/** @param send sends an image, and calls `begin` where the time starts. */
async function toBit(
  port: number,
  unit: number,
  send: (turn: number, begin: () => void) => Promise<unknown>,
): Promise<number[]> {
  const plc = await connectModbus(port, unit);
  const times: number[] = [];
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
    times.push(performance.now() - startedAt);
    if (!(await plc.bits()).includes('valid')) throw new Error(`An image had no verdict: ${await plc.bits()}.`);
    await sent;
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  await plc.close();
  return times;
}

/** @param payload of a trigger: an image, or JSON with the serial number `bench <turn>`. */
async function toMessage(port: number, station: string, payload: (turn: number) => Buffer | string): Promise<number[]> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5 });
  const told = new Map<string, () => void>();
  client.on('message', (_topic, result) => told.get(String(JSON.parse(result.toString()).serial))?.());
  await client.subscribeAsync(`kensa/${station}/result`, { qos: 1 });
  const times: number[] = [];
  for (let turn = 0; turn < images; turn++) {
    const serial = `bench ${turn}`;
    const came = new Promise<void>((resolve) => told.set(serial, resolve));
    const startedAt = performance.now();
    const sent = payload(turn);
    const properties = typeof sent === 'string' ? {} : { userProperties: { serial } };
    client.publish(`kensa/${station}/trigger`, sent, { qos: 1, properties });
    await came;
    times.push(performance.now() - startedAt);
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  await client.endAsync();
  return times;
}

/** What the engine takes for an image by itself: the median of the times that the service noted. */
async function readEngineMs({ url }: SpawnedService, modelId: string): Promise<number> {
  const { clientId: client_id, clientSecret: client_secret } = spawnedClient;
  const login = JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' });
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: login };
  const { access_token } = (await (await fetch(`${url}/api/auth/token`, options)).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const csv = await fetch(`${url}/api/v1/targets/model/results?model_ids=${modelId}`, { method: 'POST', headers });
  const [head = '', ...lines] = (await csv.text()).trim().split(/\r?\n/);
  const column = head.split(',').indexOf('duration_ms');
  return quantile(
    lines.map((line) => Number(line.split(',')[column])),
    0.5,
  );
}

function render({ rows, engineMs }: Awaited<ReturnType<typeof measure>>, load: number): string {
  const lines = rows.map(({ from, to, goal, times }) => {
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)].map((ms) => ms.toFixed(0));
    return `| ${from} | ${to} | ${half} | ${most} | ${goal} |`;
  });
  return `# From the image to the controller

\`npm run bench:line\`, ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'},
load ${load.toFixed(1)} at the start. ${images} images each of ${pixels}×${pixels} pixels, ${1000 / everyMs} a second, over loopback.
Milliseconds from the start of the sending to the bit or the message. A load far above 0 at the start means that other
work shared the cores: such figures are an upper bound, and say nothing of the goals.

| From | To | p50 | p99 | Goal p50 / p99 |
|---|---|---|---|---|
${lines.join('\n')}

The engine takes ${engineMs.toFixed(0)} ms of this for an image. The rest is: receiving and storing the image, two commits to the disk,
the hand-over to the compute process and back, and for a folder the wait until its file is complete (150 ms). The best
figure that we know of for such a system is 9 ms from capture to coil, on a GPU with a small detector.
`;
}

const [load = 0] = loadavg();
const report = render(await measure(), load);
await writeFile(new URL('results/line.md', import.meta.url), report);
console.log(report);
