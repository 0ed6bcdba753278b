import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

let service: TestService;
let modelId: string;

beforeAll(async () => {
  service = await startTestService({ KENSA_QUEUE_LIMIT: '8' });
  ({ modelId } = await trainSmallModel(service));
});
afterAll(() => service.stop());

it('answers 425 with Retry-After while too many items wait, queues nothing of it, and recovers', async () => {
  const bytes = await stripes(5);
  const small = Array.from({ length: 8 }, (_, index) => ({ name: `small-${index}.png`, bytes }));
  // Large ones still wait when the small ones of an upload are inferred.
  const large = await sharp(bytes).resize(3000, 3000).png({ compressionLevel: 1 }).toBuffer();
  const files = Array.from({ length: 20 }, (_, index) => ({ name: `part-${index}.png`, bytes: large }));
  const itemIds = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' })).item_ids;
  const predict = (ids: readonly string[]) =>
    service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: ids } });

  expect((await predict(itemIds.slice(0, 8))).status).toBe(200);
  const tooMany = await predict(itemIds.slice(8, 16));
  expect(expectError(tooMany, 425).detail).toContain('8 more were sent; the limit is 8');
  expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(0);
  const untouched = dataOf<{ status: string }>(await service.call('GET', `/api/v1/items/${itemIds[8]}`));
  expect(untouched.status).toBe('pending');
  const refused = await service.upload(small, { training: 'false', model_id: modelId });
  expectError(refused, 425);

  // What a well-behaved client does: smaller portions, and asking again after a while.
  for (let start = 0; start < itemIds.length; start += 4) {
    const portion = itemIds.slice(start, start + 4);
    const accepted = await eventually(
      () => predict(portion),
      ({ status }) => status !== 425,
    );
    expect(accepted.status).toBe(200);
  }
  for (const itemId of itemIds) {
    const item = await eventually(
      async () => dataOf<{ status: string }>(await service.call('GET', `/api/v1/items/${itemId}`)),
      ({ status }) => status === 'done' || status === 'failed',
    );
    expect(item.status).toBe('done');
  }
});

it('refuses more items than the queue ever takes in words, not as busy, also while nothing waits', async () => {
  const bytes = await stripes(6);
  const files = Array.from({ length: 9 }, (_, index) => ({ name: `part-${index}.png`, bytes }));
  const itemIds = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' })).item_ids;
  const answer = await service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: itemIds } });
  expect(expectError(answer, 413).detail).toMatch(/9 items were sent.*at most 8/);
  expect(answer.headers['retry-after']).toBeUndefined();
  expectError(await service.upload(files, { training: 'false', model_id: modelId }), 413);
});

it('leaves room for the images of the line when a new model inspects what people judged', async () => {
  const bytes = await stripes(7);
  const files = Array.from({ length: 8 }, (_, index) => ({ name: `judged-${index}.png`, bytes }));
  const itemIds = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' })).item_ids;
  const verdicts = itemIds.map((item_id) => ({ item_id, good: true, annotations: [] }));
  dataOf(await service.call('PUT', '/api/v1/items/verdicts', { body: { verdicts } }));
  const younger = await trainSmallModel(service);
  const read = async () =>
    dataOf<{ items: unknown[] }>(await service.call('GET', `/api/v1/models/${younger.modelId}/scores`)).items.length;
  expect(await eventually(read, (count) => count >= 4)).toBe(4);
  const { assessments } = dataOf<{ assessments: unknown[] }>(await service.call('GET', `/api/v1/items/${itemIds[0]}`));
  expect(assessments).toEqual([]);
});

it('streams the progress of a training and ends with its last state', async () => {
  const ready = await service.call('GET', `/api/v1/models/${modelId}/events`);
  expect(ready.headers['content-type']).toContain('text/event-stream');
  const [event, data] = ready.bytes.toString('utf8').split('\n');
  expect(event).toBe('event: end');
  expect(JSON.parse(data?.replace('data: ', '') ?? '')).toMatchObject({ model_id: modelId, status: 'ready' });

  const queued = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: {} });
  const { model_id: second } = dataOf<{ model_id: string }>(queued);
  const stream = await service.call('GET', `/api/v1/models/${second}/events`);
  const events = stream.bytes.toString('utf8').trim().split('\n\n');
  expect(events.length).toBeGreaterThan(1);
  expect(events.at(0)).toMatch(/^event: progress\n/);
  expect(events.at(-1)).toMatch(/^event: end\ndata: .*"status":"ready"/);
  expectError(await service.call('GET', '/api/v1/models/nobody/events'), 404);
});
