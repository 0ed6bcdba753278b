import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { KensaClient, UploadFile } from '../../src/client/kensa-client.ts';
import { demoFiles } from '../support/demo-images.ts';
import type { SpawnedService } from '../support/spawn-service.ts';
import { stripes } from '../support/trained-model.ts';

/** What the service has promised so far. */
export interface Plant {
  readonly images: readonly UploadFile[];
  /** Score of each image, by name: the same at every prediction. */
  readonly scores: ReadonlyMap<string, string>;
  /** Items whose upload was acknowledged, with the name of their image. */
  readonly acknowledged: Map<string, string>;
  /** Items whose verdict by a person was acknowledged. */
  readonly judged: Map<string, 'OK' | 'NG'>;
}

interface ItemBody {
  item_id: string;
  status: string;
  images: { url: string; file_size: number }[];
  user_assessment?: { result: string };
  assessments: { anomaly_score: string }[];
}

/** Trains a model and notes what it says of each image. */
export async function openPlant({ client }: SpawnedService): Promise<Plant> {
  const { training, test } = await demoFiles({ good: 10, testGood: 4, testDefect: 4 }, { pixels: 128 });
  await client.uploadItems(training, { training: 'true', good: 'true' });
  const { model_id } = await startTraining(client);
  await client.waitForModel(model_id);
  const ids = await client.uploadItems(test, { training: 'false', model_id: 'active' });
  const items = await client.waitForItems(ids);
  const scores = new Map(
    items.map((item, index) => [test[index]?.name ?? '', item.assessments[0]?.anomaly_score ?? '']),
  );
  expect(new Set(scores.values()).size).toBeGreaterThan(4);
  const acknowledged = new Map(ids.map((id, index) => [id, test[index]?.name ?? '']));
  return { images: test, scores, acknowledged, judged: new Map() };
}

/** Small pictures and a small memory bank, so that it takes seconds. */
export function startTraining(client: KensaClient): Promise<{ model_id: string }> {
  const override_params = [
    { algorithm_parameter_id: 102, value: '128' },
    { algorithm_parameter_id: 103, value: '200' },
  ];
  return client.request('POST', '/api/v1/algorithms/patchcore/train', { name: 'fault', override_params });
}

/** Uploads, predictions and verdicts of a person at the same time, until it breaks off or `seconds` are over. */
export async function work(plant: Plant, client: KensaClient, seconds: number, seed: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  const line = async (number: number): Promise<void> => {
    for (let turn = seed + number; performance.now() < until; turn++) {
      const image = plant.images[turn % plant.images.length];
      if (!image) return;
      // The last line asks for the verdict; it may be answered before it is there.
      const id =
        number === 2
          ? (await client.inspect({ modelId: 'active' }, [image], {}, 200)).item_id
          : (await client.uploadItems([image], { training: 'false', model_id: 'active' }))[0];
      if (id === undefined) return;
      plant.acknowledged.set(id, image.name);
      const good = turn % 2 === 0;
      await client.request('PATCH', `/api/v1/items/${id}`, { good });
      plant.judged.set(id, good ? 'OK' : 'NG');
    }
  };
  // A line ends where the service does: that is the point.
  await Promise.allSettled([line(0), line(1), line(2)]);
}

/** Nothing acknowledged is lost; every item has its one right verdict; lists agree with items. */
export async function expectWhole(plant: Plant, { client, url }: SpawnedService): Promise<void> {
  const { items, total } = await readAll(client);
  const byId = new Map(items.map((item) => [item.item_id, item]));
  expect(byId.size).toBe(items.length);
  expect(total).toBe(items.length);
  for (const [id, name] of plant.acknowledged) {
    const item = byId.get(id);
    expect(item, `item ${id} was acknowledged`).toBeDefined();
    if (!item) continue;
    expect(item.status, `item ${id}`).toBe('done');
    expect(item.assessments.map((one) => one.anomaly_score)).toEqual([plant.scores.get(name)]);
    const sent = plant.images.find((image) => image.name === name);
    expect(item.images[0]?.file_size).toBe(sent?.bytes.length);
  }
  for (const [id, result] of plant.judged) expect(byId.get(id)?.user_assessment?.result).toBe(result);
  const newest = items[0];
  if (newest) await expectSameBytes(url, newest, plant);
}

async function expectSameBytes(url: string, item: ItemBody, plant: Plant): Promise<void> {
  const response = await fetch(`${url}${item.images[0]?.url}`);
  const hash = createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
  expect(plant.images.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))).toContain(hash);
}

/** All items for judging, once none of them waits any more. */
async function readAll(client: KensaClient): Promise<{ items: ItemBody[]; total: number }> {
  for (const deadline = Date.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const items: ItemBody[] = [];
    let total = 0;
    for (let page = 1, last = 1; page <= last; page++) {
      const path = `/api/v1/items/?item_type=prediction&count=200&page=${page}`;
      const answer = await client.request<{ items: ItemBody[]; end_page: number; total: number }>('GET', path);
      items.push(...answer.items);
      last = answer.end_page;
      total = answer.total;
    }
    if (items.every((item) => item.status !== 'queued' && item.status !== 'processing')) return { items, total };
    if (Date.now() > deadline) {
      const waiting = items.filter((item) => item.status !== 'done').map((item) => `${item.item_id} ${item.status}`);
      throw new Error(`Items still wait after two minutes: ${waiting.slice(0, 5).join(', ')}`);
    }
  }
}

/** Trains a small model of striped images. @returns its id */
export async function trainStripes(client: KensaClient): Promise<string> {
  const files = await Promise.all([0, 1, 2].map(async (n) => ({ name: `${n}.png`, bytes: await stripes(n) })));
  await client.uploadItems(files, { training: 'true', good: 'true' });
  const override_params = [{ algorithm_parameter_id: 102, value: '128' }];
  const path = '/api/v1/algorithms/patchcore/train';
  const { model_id } = await client.request<{ model_id: string }>('POST', path, { override_params });
  await client.waitForModel(model_id);
  return model_id;
}
