// Is the server's event loop ever blocked? Latency of GET /healthz, idle and while it trains and predicts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKensaClient } from '../src/client/kensa-client.ts';
import { loadConfig } from '../src/config.ts';
import { encodeImage } from '../src/demo/encode-image.ts';
import { getDemoProduct } from '../src/demo/products.ts';
import { renderDemoSet } from '../src/demo/render-demo-set.ts';
import { startService } from '../src/main.ts';

const limitMs = 50;
const dataDir = await mkdtemp(join(tmpdir(), 'kensa-bench-'));
const credentials = { clientId: 'bench', clientSecret: 'a secret for the bench' };
const service = await startService(
  loadConfig({
    ...{ PORT: '0', KENSA_LOG_LEVEL: 'error', KENSA_DATA_DIR: dataDir },
    ...{ KENSA_CLIENT_ID: credentials.clientId, KENSA_CLIENT_SECRET: credentials.clientSecret },
  }),
);
const client = createKensaClient({ baseUrl: service.url, ...credentials });

async function measure(while_: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let running = true;
  void while_.finally(() => {
    running = false;
  });
  while (running) {
    const startedAt = performance.now();
    await (await fetch(`${service.url}/healthz`)).text();
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.sort((one, other) => one - other);
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

try {
  const set = renderDemoSet(getDemoProduct('woven-fabric'), 1, { good: 40, testGood: 20, testDefect: 20 });
  const files = [];
  for (const sample of [...set.training, ...set.test]) {
    files.push({ name: `${sample.name}.jpg`, bytes: await encodeImage(sample.render().image, 'jpeg') });
  }
  const training = await client.uploadItems(files.slice(0, 40), { training: 'true' });
  const unseen = await client.uploadItems(files.slice(40), { training: 'false' });
  const train = () =>
    client.request<{ model_id: string }>('POST', '/api/v1/algorithms/patchcore/train', { item_ids: training });
  const idle = await measure(new Promise((resolve) => setTimeout(resolve, 3000)));
  const first = await train();
  await client.waitForModel(first.model_id);
  const second = await train();
  const predict = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await client.request('POST', `/api/v1/models/${first.model_id}/predict`, { item_ids: unseen });
      await client.waitForItems(unseen);
    }
  };
  const busy = await measure(Promise.all([client.waitForModel(second.model_id), predict()]));
  for (const [name, times] of Object.entries({ idle, busy })) {
    console.log(
      `${name}: ${times.length} requests, p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, p99 ${at(times, 0.99)} ms, max ${at(times, 1)} ms`,
    );
  }
  console.log(
    `limit: p99 under ${limitMs} ms while a training and predictions run: ${Number(at(busy, 0.99)) < limitMs ? 'kept' : 'BROKEN'}`,
  );
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
