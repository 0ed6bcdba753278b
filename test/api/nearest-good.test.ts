import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NearestGoodView } from '../../src/domains/prediction/nearest-good.schemas.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

describe('the nearest good image', { timeout: 300_000 }, () => {
  let service: TestService;
  let modelId: string;
  let training: string[];
  let itemId: string;
  const ask = (query: Record<string, string>, item = itemId, headers = {}) =>
    service.call('GET', `/api/v1/items/${item}/nearest-good?${new URLSearchParams(query)}`, { headers });
  const find = async (query: Record<string, string> = {}) =>
    dataOf<NearestGoodView>(await ask({ model_id: modelId, ...query }));

  beforeAll(async () => {
    service = await startTestService();
    ({ modelId, itemIds: training } = await trainSmallModel(service));
    const square = { create: { width: 12, height: 12, channels: 3 as const, background: '#e02020' } };
    const spotted = await sharp(await stripes(2))
      .composite([{ input: await sharp(square).png().toBuffer(), left: 66, top: 20 }])
      .png()
      .toBuffer();
    const uploaded = await service.upload([{ name: 'spotted.png', bytes: spotted }], { training: 'false' });
    [itemId = ''] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
  });
  afterAll(() => service?.stop());

  it('is that of the place that differs most, with the patch that matches', async () => {
    const found = await find();
    expect(found).toMatchObject({ item_id: itemId, model_id: modelId, image: 'spotted.png', unavailable: 0 });
    const { place, nearest } = found;
    // The patch and its neighbours meet the square.
    expect(place?.x_max).toBeGreaterThan(66);
    expect(place?.x_min).toBeLessThan(78);
    expect(place?.y_max).toBeGreaterThan(20);
    expect(place?.y_min).toBeLessThan(32);
    expect(training).toContain(nearest?.item_id);
    expect(nearest).toMatchObject({ user_result: 'OK', registered: false, image: { width: 96, height: 96 } });
    expect(nearest?.image.url).toMatch(/^\/api\/v1\/files\/image\//);
    // The transform lays the matching patch on the place.
    const [, , c = 0, , , f = 0] = nearest?.transform ?? [];
    expect((nearest?.place.x_min ?? 0) + c).toBeCloseTo(place?.x_min ?? 0, -1);
    expect((nearest?.place.y_min ?? 0) + f).toBeCloseTo(place?.y_min ?? 0, -1);
  });

  it('is the image that shows the same at a place that is asked for', async () => {
    const { place, nearest } = await find({ x: '20', y: '75' });
    expect(nearest?.item_name).toBe('stripes-2');
    expect(nearest?.place).toEqual(place);
    // The network sees a little of the far square, too.
    expect(nearest?.distance).toBeLessThan(0.5);
    expect(nearest?.transform.map((value) => Math.round(value * 100) / 100)).toEqual([1, 0, 0, 0, 1, 0]);
    // Of an item that the model has learned from, it is another one.
    const own = dataOf<NearestGoodView>(await ask({ model_id: 'active', x: '20', y: '75' }, training[2]));
    expect(own.nearest?.item_name).not.toBe('stripes-2');
  });

  it('names field, value and remedy where the request is wrong', async () => {
    const problemOf = async (query: Record<string, string>, item = itemId) => {
      const { status, body } = await ask(query, item);
      return [status, JSON.stringify(body.errors)] as const;
    };
    expect(await problemOf({})).toEqual([422, expect.stringContaining('model_id')]);
    expect(await problemOf({ model_id: 'none' })).toEqual([404, expect.stringContaining('none')]);
    expect(await problemOf({ model_id: modelId }, 'none')).toEqual([404, expect.stringContaining('none')]);
    expect(await problemOf({ model_id: modelId, x: '3' })).toEqual([422, expect.stringContaining('"y"')]);
    expect(await problemOf({ model_id: modelId, x: '97', y: '1' })).toEqual([
      422,
      expect.stringContaining('must be at most 96, received 97'),
    ]);
    expect(await problemOf({ model_id: modelId, image: 'other.png' })).toEqual([
      422,
      expect.stringContaining('spotted.png'),
    ]);
  });

  it('says that the algorithm has none', async () => {
    const body = { name: 'gaussian', override_params: [{ algorithm_parameter_id: 202, value: '128' }] };
    const queued = await service.call('POST', '/api/v1/algorithms/padim/train', { body });
    const { model_id: padim } = dataOf<{ model_id: string }>(queued);
    await eventually(
      async () => dataOf<{ status: string }>(await service.call('GET', `/api/v1/models/${padim}`)),
      ({ status }) => status === 'ready',
      240_000,
    );
    const found = dataOf<NearestGoodView>(await ask({ model_id: padim }));
    expect(found).toMatchObject({ place: null, nearest: null, status_messages: [{ code: 'nearest.no-memory' }] });
    expect(found.status_text).toContain('keeps no patches');
    const japanese = await ask({ model_id: padim }, itemId, { 'accept-language': 'ja' });
    expect(dataOf<NearestGoodView>(japanese).status_text).toContain('比較できる画像がありません');
  });

  it('leaves out images that were deleted, and says how many', async () => {
    const remove = (items: string[]) => service.call('DELETE', '/api/v1/items/', { body: { item_ids: items } });
    await remove(training.slice(2, 3));
    expect((await find({ x: '20', y: '75' })).nearest?.item_name).toMatch(/^stripes-[013]$/);
    await remove([...training.slice(0, 2), ...training.slice(3)]);
    const gone = await find({ x: '20', y: '75' });
    expect(gone).toMatchObject({ nearest: null, unavailable: 4, status_messages: [{ code: 'nearest.unavailable' }] });
    expect(gone.place).not.toBeNull();
  });
});
