import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { type Answer, startTestService, type TestService } from '../support/test-service.ts';

interface ModelBody {
  model_id: string;
  status: string;
  status_text: string;
  active: boolean;
  version: string;
  ok_img_count: number;
  ng_img_count: number;
  training_time: number;
  image_url: string;
  stats: { accuracy: number; precision: { projected: number | null }; recall: { projected: number | null } };
}

interface ItemBody {
  item_id: string;
  name: string;
  status: string;
  images: { url: string; width: number; file_size: number; thumbnail_url: string }[];
  user_assessment?: { result: string; label: string; annotations: { x_min: number; label: number }[] };
  assessments: {
    model_id: string;
    predicted_at: string;
    result: 'OK' | 'NG';
    anomaly_score: string;
    detected_objects: number;
    detection_accuracy: number;
    annotations: {
      x_min: number;
      x_max: number;
      y_min: number;
      y_max: number;
      defect_size: number;
      outline: [number, number][];
    }[];
    images: { url: string; width: number }[];
  }[];
}

function data<T>(answer: Answer): T {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return (answer.body as unknown as { data: T }).data;
}

async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 2400; tries++) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('It did not come to an end within four minutes.');
}

describe('images in, verdicts out', () => {
  let service: TestService;
  let training: DemoFile[];
  let test: DemoFile[];
  let trainingIds: string[];
  let testIds: string[];
  let model: ModelBody;

  beforeAll(async () => {
    service = await startTestService();
    ({ training, test } = await demoFiles({ good: 24, testGood: 4, testDefect: 4 }));
    trainingIds = data<{ item_ids: string[] }>(
      await service.upload(training, { training: 'true', good: 'true' }),
    ).item_ids;
    const answer = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: { name: 'first' } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const started = data<ModelBody>(answer);
    expect(['queued', 'training']).toContain(started.status);
    model = await until(
      async () => data<ModelBody>(await service.call('GET', `/api/v1/models/${started.model_id}`)),
      (value) => value.status !== 'queued' && value.status !== 'training',
    );
    testIds = data<{ item_ids: string[] }>(await service.upload(test, { training: 'false' })).item_ids;
    const asked = await service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: testIds } });
    expect(asked.body).toEqual({ data: { model_version: '1', item_ids: testIds } });
  }, 300_000);
  afterAll(() => service.stop());

  const finished = (itemId: string): Promise<ItemBody> =>
    until(
      async () => data<ItemBody>(await service.call('GET', `/api/v1/items/${itemId}`)),
      (item) => item.status === 'done' || item.status === 'failed',
    );

  it('trains a model that says what it learned from', () => {
    expect(model.status, model.status_text).toBe('ready');
    expect(model).toMatchObject({ active: true, version: '1', ok_img_count: 24, ng_img_count: 0 });
    expect(model.training_time).toBeGreaterThan(0);
    expect(model.stats.accuracy).toBeGreaterThan(0.8);
  });

  it('judges unseen items right, with the place of the defect', async () => {
    for (const [index, itemId] of testIds.entries()) {
      const item = await finished(itemId);
      expect(item.status).toBe('done');
      const [assessment] = item.assessments;
      const file = test[index];
      expect(assessment?.result, `${file?.name} ${assessment?.anomaly_score}`).toBe(
        file?.defect === undefined ? 'OK' : 'NG',
      );
      expect(assessment?.anomaly_score).toMatch(/^0\.\d{6}$/);
      expect(assessment?.model_id).toBe(model.model_id);
      if (file?.defect === undefined) continue;
      expect(assessment?.detected_objects).toBeGreaterThan(0);
      expect(assessment?.annotations).toHaveLength(assessment?.detected_objects ?? 0);
      for (const region of assessment?.annotations ?? []) {
        expect(region.x_min).toBeLessThan(region.x_max);
        expect(region.y_min).toBeLessThan(region.y_max);
        expect(region.x_min).toBeGreaterThanOrEqual(0);
        expect(region.x_max).toBeLessThanOrEqual(256);
        expect(region.defect_size).toBeGreaterThan(0);
        expect(region.outline.length).toBeGreaterThan(2);
        for (const [x, y] of region.outline) {
          expect(x).toBeGreaterThanOrEqual(region.x_min);
          expect(x).toBeLessThanOrEqual(region.x_max);
          expect(y).toBeGreaterThanOrEqual(region.y_min);
          expect(y).toBeLessThanOrEqual(region.y_max);
        }
      }
    }
  }, 60_000);

  it('shows images, thumbnails and heatmaps by signed links without a token', async () => {
    const item = await finished(testIds[0] ?? '');
    const links = [
      item.images[0]?.url,
      item.images[0]?.thumbnail_url,
      item.assessments[0]?.images[0]?.url,
      model.image_url,
    ];
    for (const link of links) {
      const shown = await service.call('GET', link ?? '', { token: null });
      expect(shown.status).toBe(200);
      expect(String(shown.headers['content-type'])).toMatch(/^image\//);
      expectError(await service.call('GET', `${link}x`, { token: null }), 403);
      expectError(await service.call('GET', link?.replace(/expires=\d+/, 'expires=1') ?? '', { token: null }), 403);
    }
    const [heatmap] = item.assessments[0]?.images ?? [];
    const [again, picture] = [await service.call('GET', links[2] ?? ''), await service.call('GET', links[2] ?? '')];
    expect(again.bytes).toEqual(picture.bytes);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'jpeg', width: heatmap?.width });
  });

  it('gives the same score again when an item is predicted again', async () => {
    const itemId = testIds.at(-1) ?? '';
    const before = await finished(itemId);
    await service.call('POST', `/api/v1/models/${model.model_id}/predict`, { body: { item_ids: [itemId] } });
    const after = await finished(itemId);
    expect(after.assessments).toHaveLength(1);
    expect(after.assessments[0]?.anomaly_score).toBe(before.assessments[0]?.anomaly_score);
  });

  it('judges an item that is asked for alone before the rest of many', async () => {
    const ask = async (itemIds: readonly string[]): Promise<void> => {
      const asked = await service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: itemIds } });
      expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    };
    const alone = testIds[0] ?? '';
    await ask(trainingIds);
    await ask([alone]);
    const judgedAt = async (itemId: string): Promise<string> =>
      (await finished(itemId)).assessments[0]?.predicted_at ?? '';
    const many = await Promise.all(trainingIds.map(judgedAt));
    const one = await judgedAt(alone);
    expect(many.filter((time) => time > one).length).toBeGreaterThan(trainingIds.length / 2);
  });

  it('keeps to a changed threshold', async () => {
    const path = `/api/v1/models/${model.model_id}/update_predict_parameters`;
    const changed = await service.call('POST', path, { body: { threshold: 0.999 } });
    expect(changed.body).toEqual({ data: { threshold: 0.999, ignore_outer: 'none', min_detected_area: 0 } });
    const itemId = testIds.at(-1) ?? '';
    await service.call('POST', '/api/v1/models/active/predict', { body: { item_ids: [itemId] } });
    const item = await until(
      () => finished(itemId),
      (value) => value.assessments[0]?.result === 'OK',
    );
    expect(item.assessments[0]?.annotations).toEqual([]);
    await service.call('POST', path, { body: { threshold: 0.5 } });
  });

  it('lists items page by page, newest first', async () => {
    const list = data<{ items: ItemBody[]; end_page: number; current_page: number; count_per_page: number }>(
      await service.call('GET', '/api/v1/items?item_type=training&count=23&page=2'),
    );
    expect(list).toMatchObject({ current_page: 2, end_page: 2, count_per_page: 23 });
    expect(list.items.map((item) => item.item_id)).toEqual([trainingIds[0]]);
    const assessed = data<{ items: ItemBody[] }>(
      await service.call('GET', `/api/v1/items/?item_type=prediction&model_id=${model.model_id}`),
    );
    expect(assessed.items.map((item) => item.item_id)).toEqual([...testIds].reverse());
  });

  it('takes the regions and the verdict of a user', async () => {
    const itemId = testIds.at(-1) ?? '';
    const region = { x_min: 10, x_max: 40.5, y_min: 20, y_max: 60, label: 2, notes: 'scratch' };
    const answer = await service.call('PATCH', `/api/v1/items/${itemId}`, { body: { annotations: [region] } });
    expect(answer.status).toBe(202);
    expect(answer.bytes).toHaveLength(0);
    const item = data<ItemBody>(await service.call('GET', `/api/v1/items/${itemId}`));
    expect(item.user_assessment).toMatchObject({ result: 'NG', label: '2', annotations: [region] });
    await service.call('PATCH', `/api/v1/items/${itemId}`, { body: { annotations: [] } });
    const cleared = data<ItemBody>(await service.call('GET', `/api/v1/items/${itemId}`));
    expect(cleared.user_assessment).toMatchObject({ result: 'OK', label: 'good', annotations: [] });
  });

  it('judges an item of several images by its worst one, and names the image of each region', async () => {
    const [clean, faulty] = [test[0], test.find((file) => file.defect !== undefined)];
    const files = [
      { name: 'part7/top.jpg', bytes: clean?.bytes ?? new Uint8Array() },
      { name: 'part7/side.jpg', bytes: faulty?.bytes ?? new Uint8Array() },
    ];
    const uploaded = await service.upload(files, { training: 'false', model_id: 'active' });
    const { item_ids: itemIds } = data<{ item_ids: string[] }>(uploaded);
    expect(itemIds).toHaveLength(1);
    const item = await finished(itemIds[0] ?? '');
    expect(item).toMatchObject({ name: 'part7', images: [{ name: 'top.jpg' }, { name: 'side.jpg' }] });
    const [assessment] = item.assessments;
    const alone = await finished(testIds[test.findIndex(({ name }) => name === faulty?.name)] ?? '');
    expect(assessment?.result).toBe('NG');
    expect(assessment?.anomaly_score).toBe(alone.assessments[0]?.anomaly_score);
    expect(assessment?.images).toHaveLength(2);
    for (const region of assessment?.annotations ?? []) expect(region).toMatchObject({ image: 'side.jpg' });
  }, 60_000);

  it('deletes items and models, all or none', async () => {
    const [first = ''] = trainingIds;
    const refused = await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [first, 'nobody'] } });
    expectError(refused, 404, 'nobody');
    expect((await service.call('GET', `/api/v1/items/${first}`)).status).toBe(200);
    const done = await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [first] } });
    expect(done.body).toEqual({ data: { item_ids: [first] } });
    expectError(await service.call('GET', `/api/v1/items/${first}`), 404);
    expectError(await service.call('DELETE', `/api/v1/models/?model_ids=${model.model_id},nobody`), 404, 'nobody');
    const gone = await service.call('DELETE', `/api/v1/models?model_ids[]=${model.model_id}`);
    expect(gone.body).toEqual({ data: { model_ids: [model.model_id] } });
    expectError(await service.call('GET', `/api/v1/models/${model.model_id}`), 404);
  });
});
