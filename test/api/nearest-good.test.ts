import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NearestGoodView } from '../../src/domains/prediction/nearest-good.schemas.ts';
import { decodePatchcore, encodePatchcore } from '../../src/vision/algorithms/patchcore/model.ts';
import { decodeModel, encodeModel } from '../../src/vision/model-file/model-file.ts';
import { sendForm } from '../support/multipart.ts';
import { readZip, writeZip } from '../support/rewrite-zip.ts';
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
    // The network sees a little of the far square, too, which itself differs seven times as much.
    const { nearest: ofSquare } = await find();
    expect(nearest?.distance).toBeLessThan((ofSquare?.distance ?? 0) / 7);
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

  it('asks for another training where the model is of a release that kept no record', async () => {
    const exported = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
    const members = await readZip(exported.bytes);
    const manifest = members.find(({ name }) => name === 'manifest.json')?.bytes.toString('utf8') ?? '';
    const { models, files } = JSON.parse(manifest) as {
      models: { file: string }[];
      files: Record<string, { size: number }>;
    };
    const path = models[0]?.file ?? '';
    const { payload, ...model } = decodeModel(members.find(({ name }) => name === path)?.bytes ?? Buffer.alloc(0));
    const { sources: _, ...state } = decodePatchcore(payload);
    const bytes = Buffer.from(encodeModel({ ...model, payload: encodePatchcore({ ...state, sources: undefined }) }));
    const hash = createHash('sha256').update(bytes).digest('hex');
    const without = manifest
      .replaceAll(path.slice('files/'.length), hash)
      .replace(`"size": ${files[path]?.size}`, `"size": ${bytes.length}`);
    const zip = await writeZip([
      { name: 'manifest.json', bytes: Buffer.from(without) },
      ...members.filter(({ name }) => name !== 'manifest.json' && name !== path),
      { name: `files/${hash}`, bytes },
    ]);
    const sent = await sendForm(service, '/api/v1/models/import', [
      { field: 'models', file: { name: 'models.zip', bytes: zip } },
    ]);
    const [old = { model_id: '' }] = dataOf<{ model_id: string }[]>(sent);
    const found = dataOf<NearestGoodView>(await ask({ model_id: old.model_id }));
    expect(found).toMatchObject({ nearest: null, status_messages: [{ code: 'nearest.no-record' }] });
    expect(found.place).not.toBeNull();
  });

  it('lies on the item as the target aligns both', async () => {
    const places = [
      [0, 0],
      [3, 2],
      [-4, 1],
      [2, -3],
    ] as const;
    const pictures = await Promise.all(places.map(([left, top]) => card(left, top)));
    const named = pictures.map((bytes, index) => ({ name: `card-${index}.png`, bytes }));
    const uploaded = await service.upload(named, { training: 'true', good: 'true' });
    const { item_ids } = dataOf<{ item_ids: string[] }>(uploaded);
    const config = JSON.stringify({ reference: item_ids[0] });
    const target = { name: 'cards', preprocessing: [{ name: 'align', config }] };
    dataOf(await service.call('PUT', '/api/v1/targets/1', { body: target }));
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const body = { name: 'aligned', item_ids, override_params };
    const queued = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body });
    const { model_id: aligned } = dataOf<{ model_id: string }>(queued);
    await eventually(
      async () => dataOf<{ status: string }>(await service.call('GET', `/api/v1/models/${aligned}`)),
      ({ status }) => status === 'ready',
      240_000,
    );
    const moved = await service.upload([{ name: 'moved.png', bytes: await card(8, -6) }], { training: 'false' });
    const [item = ''] = dataOf<{ item_ids: string[] }>(moved).item_ids;
    const { nearest } = dataOf<NearestGoodView>(await ask({ model_id: aligned, x: '70', y: '60' }, item));
    expect(nearest?.registered).toBe(true);
    // All of the training image is where the item has it, not only the patch.
    const from = item_ids.indexOf(nearest?.item_id ?? '');
    const [left = 0, top = 0] = places[from] ?? [];
    const [a, b, c = 0, d, e, f = 0] = nearest?.transform ?? [];
    for (const [x, y] of [
      [30, 30],
      [110, 90],
    ] as const) {
      expect(Number(a) * x + Number(b) * y + c).toBeCloseTo(x + 8 - left, 0);
      expect(Number(d) * x + Number(e) * y + f).toBeCloseTo(y - 6 - top, 0);
    }
  });

  it('says that retention removed the image of the item', async () => {
    const uploaded = await service.upload([{ name: 'old.png', bytes: await stripes(7) }], { training: 'false' });
    const [old = ''] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
    const longAgo = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await service.db.updateTable('items').set({ created_at: longAgo }).where('item_id', '=', old).execute();
    const rule = { name: 'a month', everywhere: true, image_days: { OK: 30, NG: 30, unjudged: 30 } };
    dataOf(await service.call('POST', '/api/v1/retention/rules', { body: rule }));
    dataOf(await service.call('POST', '/api/v1/retention/runs', { body: {} }));
    await eventually(
      async () => dataOf<{ images_removed_at?: string }>(await service.call('GET', `/api/v1/items/${old}`)),
      ({ images_removed_at: at }) => at !== undefined,
    );
    const { status, body } = await ask({ model_id: modelId }, old);
    expect([status, body.errors]).toEqual([422, expect.objectContaining({ code: 'images-removed' })]);
    expect(JSON.stringify(body.errors)).toContain(old);
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

/** A card with marks that tell its place, moved by whole pixels. */
function card(left: number, top: number): Promise<Buffer> {
  const marks = [
    [20, 20, 34, 12],
    [76, 16, 18, 30],
    [26, 60, 12, 34],
    [60, 70, 44, 10],
    [96, 92, 22, 16],
    [48, 38, 10, 10],
  ].map(([x, y, width, height]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#234"/>`);
  const svg = `<rect width="200" height="200" fill="#b8a890"/><g transform="translate(${left} ${top})">${marks.join('')}<circle cx="112" cy="60" r="11" fill="#a33"/></g>`;
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="140" height="120">${svg}</svg>`))
    .png()
    .toBuffer();
}
