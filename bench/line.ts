// From the arrival of a image to the controller: npm run bench:line [-- images]. Five images a second of one megapixel,
// by HTTP, by a watched folder, and by an MQTT trigger, on a service of its own on loopback. Writes bench/results/line.md.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { demoFiles } from '../test/support/demo-images.ts';
import { findFreePort } from '../test/support/free-port.ts';
import { connectModbus } from '../test/support/modbus-controller.ts';
import { hasMosquitto, startBroker } from '../test/support/mosquitto.ts';
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

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(share * times.length) - 1] ?? Number.NaN;

async function measure(): Promise<{ rows: Row[]; engineMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-line-'));
  const watched = await mkdtemp(join(tmpdir(), 'kensa-line-camera-'));
  const port = await findFreePort();
  const broker = hasMosquitto ? await startBroker() : undefined;
  const service = await spawnService({
    KENSA_DATA_DIR: folder,
    KENSA_WORKERS: String(availableParallelism()),
    KENSA_MODBUS_PORT: String(port),
    KENSA_FOLDER_ROOTS: watched,
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
      service.client.request<{ station_id: string }>('POST', '/api/v1/stations/', {
        name,
        model_id: modelId,
        source,
        outputs: outputs(unit),
      });
    const { station_id: stationId } = await make('http', 1, { kind: 'http' });
    await make('folder', 2, { kind: 'folder', path: watched, after: 'delete' });
    await pause(2000);

    const byHttp = await toBit(port, 1, (turn) =>
      service.client.inspect({ stationId }, [{ name: `${turn}.jpg`, bytes: image(turn) }], {}, patienceMs),
    );
    const byFolder = await toBit(port, 2, async (turn) => {
      await writeFile(join(watched, `.${turn}`), image(turn));
      return () => rename(join(watched, `.${turn}`), join(watched, `${turn}.jpg`));
    });
    const rows: Row[] = [
      { from: 'HTTP', to: 'Modbus bit', goal: '60 / 120', times: byHttp },
      { from: 'folder', to: 'Modbus bit', goal: '300 / 600', times: byFolder },
    ];
    if (broker) {
      const times = await toMessage(broker.port, 'http', image);
      rows.push({ from: 'MQTT trigger with the image', to: 'MQTT result', goal: '', times });
    }
    return { rows, engineMs: await readEngineMs(service, modelId) };
  } finally {
    await service.stop();
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

/** @param send sends a image, or prepares one and returns the function that hands it over. */
async function toBit(port: number, unit: number, send: (turn: number) => Promise<unknown>): Promise<number[]> {
  const plc = await connectModbus(port, unit);
  const times: number[] = [];
  const sequence = async (): Promise<number> => (await plc.registers())[0] ?? 0;
  for (let turn = 0; turn < images; turn++) {
    const before = await sequence();
    const prepared = unit === 2 ? await send(turn) : undefined;
    const startedAt = performance.now();
    const sent = typeof prepared === 'function' ? (prepared as () => Promise<void>)() : send(turn);
    while ((await sequence()) === before || (await plc.bits()).includes('busy')) {
      if (performance.now() - startedAt > patienceMs) throw new Error('No bit was set.');
    }
    if (!(await plc.bits()).includes('valid')) throw new Error(`A image had no verdict: ${await plc.bits()}.`);
    times.push(performance.now() - startedAt);
    await sent;
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  await plc.close();
  return times;
}

async function toMessage(port: number, station: string, image: (turn: number) => Uint8Array): Promise<number[]> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5 });
  const told = new Map<string, () => void>();
  client.on('message', (_topic, payload) => told.get(String(JSON.parse(payload.toString()).serial))?.());
  await client.subscribeAsync(`kensa/${station}/result`, { qos: 1 });
  const times: number[] = [];
  for (let turn = 0; turn < images; turn++) {
    const serial = `bench ${turn}`;
    const came = new Promise<void>((resolve) => told.set(serial, resolve));
    const startedAt = performance.now();
    const properties = { userProperties: { serial } };
    client.publish(`kensa/${station}/trigger`, Buffer.from(image(turn)), { qos: 1, properties });
    await came;
    times.push(performance.now() - startedAt);
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  await client.endAsync();
  return times;
}

/** What the engine takes for a image by itself: the median of the times that the service noted. */
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
Milliseconds from the start of the sending to the bit or the message.

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
