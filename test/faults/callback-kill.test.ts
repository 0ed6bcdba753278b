import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallbackReceiver, startCallbackReceiver, verifySignature } from '../support/callback-receiver.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { stripes } from '../support/trained-model.ts';

let dataDir: string;
let service: SpawnedService;
let receiver: CallbackReceiver;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kensa-callback-kill-'));
  receiver = await startCallbackReceiver();
  service = await spawnService({ KENSA_DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('loses no callback over kill -9 between prediction and delivery', async () => {
  const images = await Promise.all(
    [0, 1, 2].map(async (phase) => ({ name: `${phase}.png`, bytes: await stripes(phase) })),
  );
  await service.client.uploadItems(images, { training: 'true', good: 'true' });
  const { model_id: modelId } = await service.client.request<{ model_id: string }>(
    'POST',
    '/api/v1/algorithms/patchcore/train',
    {},
  );
  await service.client.waitForModel(modelId);
  const callback = { callback_url: receiver.url, callback_method: 'post' };
  await service.client.request('POST', `/api/v1/models/${modelId}/update_predict_callback`, callback);

  // The receiver hangs, so that every verdict is stored and no callback is through when the process is killed.
  receiver.answer = () => undefined;
  const itemIds = await service.client.uploadItems(images, { training: 'false', model_id: modelId });
  await service.client.waitForItems(itemIds);
  await receiver.waitForCalls(1);
  await service.kill();
  receiver.calls.splice(0);
  receiver.answer = (_call, response) => void response.writeHead(204).end();
  service = await spawnService({ KENSA_DATA_DIR: dataDir });

  const calls = await receiver.waitForCalls(itemIds.length, 90_000);
  const told = calls.map((call) => (JSON.parse(call.body) as { items: { item_id: string }[] }).items[0]?.item_id);
  expect(new Set(told)).toEqual(new Set(itemIds));
  const { secret } = await service.client.request<{ secret: string }>('GET', `/api/v1/models/${modelId}/callbacks`);
  expect(calls.every((call) => verifySignature(call, secret))).toBe(true);
});
