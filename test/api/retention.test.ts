import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  item_id: string;
  status: string;
  images: { url?: string; thumbnail_url?: string; name: string; file_size: number }[];
  images_removed_at?: string;
  user_assessment?: { result: string };
  assessments: { result: string; images: unknown[] }[];
}
interface Sums {
  items: number;
  images: number;
  records: number;
  bytes: number;
}
interface Run extends Sums {
  run_id: string;
  cause: string;
  status: string;
  removed: ({ reason: string; verdict: string } & Sums)[];
}
interface Preview extends Sums {
  removed: Run['removed'];
  by_age: { from_days: number; items: number; bytes: number }[];
  examples: Item[];
  missing_bytes: number;
}
interface State {
  settings: object;
  disk: {
    total_bytes: number;
    free_bytes: number;
    floor_bytes: number | null;
    added_bytes_per_day: number;
    days_until_full: number | null;
  } | null;
  refuses_uploads: boolean;
  status_text: string | null;
  last_run: Run | null;
}

const dayMs = 86_400_000;
const nothing = { OK: null, NG: null, unjudged: null };

let service: TestService;
let trained: { modelId: string; itemIds: string[] };
let phase = 100;
beforeAll(async () => {
  service = await startTestService();
  trained = await trainSmallModel(service);
  await insertDailyRun();
}, 480_000);
afterAll(() => service.stop());

/** So that no daily run is due today. */
async function insertDailyRun(): Promise<void> {
  const done = { cause: 'daily' as const, status: 'done' as const, started_at: new Date().toISOString() };
  const sums = { items: 0, images: 0, records: 0, bytes: 0, removed: '[]' };
  await service.db
    .insertInto('retention_runs')
    .values({ run_id: 'first', ...done, ...sums })
    .execute();
}

/** Uploads go by a measurement that may be a second old. */
const newMeasurement = () => new Promise((resolve) => setTimeout(resolve, 1100));

const get = async <T>(path: string): Promise<T> => dataOf<T>(await service.call('GET', path));
const post = (path: string, body: object = {}) => service.call('POST', path, { body });
const read = (id: string) => get<Item>(`/api/v1/items/${id}`);
const addRule = async (rule: object): Promise<string> =>
  dataOf<{ retention_id: string }>(await post('/api/v1/retention/rules', { name: `rule ${phase++}`, ...rule }))
    .retention_id;
const preview = async (body: object = {}) => dataOf<Preview>(await post('/api/v1/retention/preview', body));
const setRetention = (body: object) => service.call('PUT', '/api/v1/retention/', { body });

/** An item that came so many days ago, with blobs as old. */
async function oldItem(days: number, person?: 'OK' | 'NG', fields: Record<string, string> = {}, count = 1) {
  const files = await Promise.all(
    Array.from({ length: count }, async () => ({ name: `p-${phase}.png`, bytes: await stripes(phase++) })),
  );
  const good = person === undefined ? {} : { good: String(person === 'OK') };
  const answer = await service.upload(files, { training: 'false', item_name: `item ${phase}`, ...good, ...fields });
  const [id = ''] = dataOf<{ item_ids: string[] }>(answer).item_ids;
  await makeOlder([id], days);
  return id;
}

async function makeOlder(ids: readonly string[], days: number): Promise<void> {
  const at = new Date(Date.now() - days * dayMs);
  await service.db.updateTable('items').set({ created_at: at.toISOString() }).where('item_id', 'in', ids).execute();
  const images = await service.db.selectFrom('item_images').select('blob').where('item_id', 'in', ids).execute();
  // Objects of the tests' bucket stay young; there, the blobs are swept later.
  if (process.env['KENSA_TEST_BACKEND'] === 'postgres') return;
  for (const { blob } of images) await utimes(pathOf(blob), at, at);
}

const pathOf = (blob: string): string => join(service.dataDir, 'blobs', blob.slice(0, 2), blob);

async function run(): Promise<Run> {
  const { run_id: id } = dataOf<Run>(await post('/api/v1/retention/runs'));
  const runs = () => get<{ runs: Run[] }>('/api/v1/retention/runs?count=5');
  const ended = ({ runs: [first] }: { runs: Run[] }) => first?.run_id === id && first.status !== 'waiting';
  const { runs: list } = await eventually(runs, (page) => ended(page) && page.runs[0]?.status !== 'running');
  const [first] = list;
  if (first?.status !== 'done') throw new Error(JSON.stringify(first));
  return first;
}

afterEach(async () => {
  await setRetention({ min_free_bytes: null, min_free_percent: null, capacity_bytes: null });
  for (const hold of await get<{ hold_id: string }[]>('/api/v1/retention/holds'))
    await service.call('DELETE', `/api/v1/retention/holds/${hold.hold_id}`);
  for (const { station_id } of await get<{ station_id: string }[]>('/api/v1/stations/'))
    await service.call('DELETE', `/api/v1/stations/${station_id}`);
  for (const { retention_id } of await get<{ retention_id: string }[]>('/api/v1/retention/rules'))
    expect((await service.call('DELETE', `/api/v1/retention/rules/${retention_id}`)).status).toBe(200);
});

describe('rules', () => {
  it('are made, listed, changed and deleted', async () => {
    const id = await addRule({ name: ' boards ', image_days: { ...nothing, OK: 3 }, when_short: ['OK', 'unjudged'] });
    const path = `/api/v1/retention/rules/${id}`;
    const rule = {
      retention_id: id,
      name: 'boards',
      everywhere: false,
      image_days: { ...nothing, OK: 3 },
      record_days: null,
      keep_thumbnails: true,
      when_short: ['OK', 'unjudged'],
      station_ids: [],
    };
    expect(await get(path)).toMatchObject(rule);
    const changed = await service.call('PUT', path, { body: { record_days: 9, keep_thumbnails: false } });
    expect(dataOf(changed)).toMatchObject({ ...rule, record_days: 9, keep_thumbnails: false });
    expect(await get('/api/v1/retention/rules')).toMatchObject([{ retention_id: id, record_days: 9 }]);
    const station = dataOf<{ station_id: string }>(await post('/api/v1/stations/', { name: 's', retention_id: id }));
    expect(await get(path)).toMatchObject({ station_ids: [station.station_id] });
    expect(expectError(await service.call('DELETE', path), 422).detail).toContain('s');
    const put = (body: object) => service.call('PUT', `/api/v1/stations/${station.station_id}`, { body });
    expectError(await put({ retention_id: 'nobody' }), 422, 'retention_id');
    expect((await put({ retention_id: null })).status).toBe(200);
    expect((await service.call('DELETE', path)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expectError(await service.call(method, path), 404);
    expectError(await service.call('PUT', path, { body: {} }), 404);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'taken' }, 'name'],
    [{ name: 'a', everywhere: true }, 'everywhere'],
    [{ name: 'a', image_days: { ...nothing, NG: 90 }, record_days: 30 }, 'image_days.NG'],
    [{ name: 'a', image_days: { OK: 0, NG: 1, unjudged: 1 } }, 'image_days.OK'],
    [{ name: 'a', when_short: ['OK', 'OK'] }, 'when_short'],
    [{ name: 'a', when_short: ['bad'] }, 'when_short.0'],
    [{ name: 'a', record_days: 1.5 }, 'record_days'],
  ])('are refused in words: %j', async (rule, key) => {
    await addRule({ name: 'taken', everywhere: true });
    expectError(await post('/api/v1/retention/rules', rule), 422, key);
    const headers = { 'accept-language': 'ja' };
    const japanese = await service.call('POST', '/api/v1/retention/rules', { body: rule, headers });
    expect(expectError(japanese, 422, key).detail).toMatch(/[ぁ-ん]/);
  });

  it.each([
    [{ min_free_bytes: 1, min_free_percent: 5 }, 'min_free_percent'],
    [{ capacity_bytes: 1000, min_free_bytes: 1000 }, 'min_free_bytes'],
    [{ daily_at: '25:00' }, 'daily_at'],
    [{ min_free_percent: 95 }, 'min_free_percent'],
  ])('settings are refused in words: %j', async (settings, key) => {
    expectError(await setRetention(settings), 422, key);
  });
});

describe('a run', () => {
  it('removes exactly what the preview said: by verdict, by station, images before records', async () => {
    const own = await addRule({ image_days: { ...nothing, OK: 50 } });
    const station = dataOf<{ station_id: string }>(await post('/api/v1/stations/', { name: 's2', retention_id: own }));
    const at = { station_id: station.station_id };
    const items = {
      ok: await oldItem(8, 'OK', {}, 2),
      okYoung: await oldItem(6, 'OK'),
      ng: await oldItem(29, 'NG'),
      ngOld: await oldItem(31, 'NG'),
      unjudged: await oldItem(60),
      recordOld: await oldItem(101, 'NG'),
      ofStation: await oldItem(49, 'OK', at),
      ofStationOld: await oldItem(51, 'OK', at),
      ofStationNg: await oldItem(200, 'NG', at),
    };
    const rule = { everywhere: true, image_days: { OK: 7, NG: 30, unjudged: null }, record_days: 100 };
    const before = await get<{ images: number; image_bytes: number; items: number }>('/api/v1/status');
    const draft = await preview({ rule: { name: 'draft', ...rule } });
    await addRule(rule);
    const shown = await preview();
    expect(shown).toMatchObject({ items: 3, images: 5, records: 1, missing_bytes: 0 });
    const { as_of: _, examples: __, ...same } = draft as Preview & { as_of: string };
    expect(shown).toMatchObject(same);
    expect(new Set(shown.examples.map((item) => item.item_id))).toEqual(
      new Set([items.ok, items.ngOld, items.recordOld, items.ofStationOld]),
    );
    expect(shown.by_age.reduce((sum, age) => sum + age.items, 0)).toBe(4);
    const done = await run();
    const { items: lost, images, records, bytes, removed } = shown;
    expect(done).toMatchObject({ cause: 'request', items: lost, images, records, bytes });
    expect(done.removed).toEqual(removed);
    expect(await preview()).toMatchObject({ items: 0, images: 0, records: 0, bytes: 0 });
    const trail = await service.db.selectFrom('audit_log').selectAll().where('target_id', '=', done.run_id).execute();
    const removals = trail.filter(({ act }) => act === 'retention.remove');
    const listed = removals.flatMap(({ details }) => (JSON.parse(details) as { items: string[] }).items);
    expect(new Set(listed)).toEqual(new Set([items.ok, items.ngOld, items.recordOld, items.ofStationOld]));
    expect(new Set(removals.map((entry) => entry.caller_kind))).toEqual(new Set(['system']));
    const after = await get<typeof before>('/api/v1/status');
    expect(after).toMatchObject({
      images: before.images - images,
      image_bytes: before.image_bytes - bytes,
      items: before.items - records,
    });
    for (const id of [items.okYoung, items.ng, items.unjudged, items.ofStation, items.ofStationNg])
      expect((await read(id)).images_removed_at).toBeUndefined();
    expectError(await service.call('GET', `/api/v1/items/${items.recordOld}`), 404);
    expect((await get<State>('/api/v1/retention/')).last_run).toMatchObject({ images, bytes });
  });

  it('leaves the record, the verdicts and, if the rule says so, the thumbnail; the file says when it went', async () => {
    const [kept, bare] = [await oldItem(5, 'NG'), await oldItem(5, 'OK')];
    for (const id of [kept, bare]) await post('/api/v1/models/active/predict', { item_ids: [id] });
    const done = async (id: string) =>
      eventually(
        () => read(id),
        ({ status }) => status === 'done',
      );
    const [before, bareBefore] = [await done(kept), await done(bare)];
    const heatmap = before.assessments[0]?.images[0] as { url: string } | undefined;
    expect((await service.call('GET', heatmap?.url ?? '')).status).toBe(200);
    const everywhere = await addRule({ everywhere: true, image_days: { ...nothing, NG: 4 } });
    await run();
    const body = { keep_thumbnails: false, image_days: { ...nothing, OK: 4 } };
    await service.call('PUT', `/api/v1/retention/rules/${everywhere}`, { body });
    await run();
    const [item, other] = [await read(kept), await read(bare)];
    expect(item).toMatchObject({
      status: 'done',
      user_assessment: { result: 'NG' },
      images_removed_at: expect.any(String),
    });
    expect(item.assessments).toMatchObject([{ result: before.assessments[0]?.result, images: [] }]);
    expect(item.images[0]).toEqual({ ...before.images[0], url: undefined, thumbnail_url: expect.any(String) });
    expect(item.images[0]).not.toHaveProperty('url');
    expect(other.images[0]).not.toHaveProperty('thumbnail_url');
    const thumbnail = await service.call('GET', item.images[0]?.thumbnail_url ?? '');
    expect(thumbnail.status).toBe(200);
    expect(thumbnail.headers['content-type']).toBe('image/webp');
    if (process.env['KENSA_TEST_BACKEND'] !== 'postgres') {
      for (const link of [before.images[0]?.url, bareBefore.images[0]?.url]) {
        const error = expectError(await service.call('GET', link ?? ''), 410);
        expect(error.detail).toContain(new Date().toISOString().slice(0, 10));
      }
      const names = await readdir(join(service.dataDir, 'blobs'), { recursive: true });
      const rows = await service.db.selectFrom('item_images').select('blob').where('item_id', '=', kept).execute();
      expect(names.filter((name) => name.endsWith(rows[0]?.blob ?? ''))).toEqual([]);
    }

    const list = (query: string) =>
      get<{ items: Item[]; total: number }>(`/api/v1/items/?item_type=prediction&name=item&${query}`);
    expect((await list('images_removed=true')).items.map(({ item_id }) => item_id)).toEqual(
      expect.arrayContaining([kept, bare]),
    );
    expect((await list('images_removed=false')).items.map(({ item_id }) => item_id)).not.toContain(kept);
    expect((await list('user_result=NG')).items.map(({ item_id }) => item_id)).toContain(kept);
    const csv = await service.call('POST', `/api/v1/targets/model/results?model_ids=${trained.modelId}`);
    const lines = csv.bytes.toString('utf8').split('\r\n');
    expect(lines.find((line) => line.includes(kept))?.endsWith(`,${item.images_removed_at}`)).toBe(true);
    expect((await service.call('GET', `/api/v1/models/${trained.modelId}/scores`)).status).toBe(200);

    for (const [path, sent] of [
      ['/api/v1/models/active/predict', { item_ids: [kept] }],
      ['/api/v1/algorithms/patchcore/train', { item_ids: [...trained.itemIds, bare] }],
      ['/api/v1/algorithms/patchcore/readiness', { item_ids: [...trained.itemIds, bare] }],
      [`/api/v1/models/${trained.modelId}/refine`, { item_ids: [kept] }],
      ['/api/v1/items/assess', { item_ids: [kept], is_training_data: true }],
      ['/api/v1/targets/1/preview', { item_id: kept }],
    ] as const)
      expect(expectError(await post(path, sent), 422).code, path).toBe('images-removed');
    expect((await read(kept)).status).toBe('done');
    expect((await post('/api/v1/items/assess', { item_ids: [kept], good: true })).status).toBe(200);
    const zip = await post('/api/v1/models/export', { model_ids: [trained.modelId] });
    expect(zip.status).toBe(200);
    expect((await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [kept, bare] } })).status).toBe(200);
    const left = await service.db.selectFrom('thumbnails').selectAll().where('item_id', '=', kept).execute();
    expect(left).toEqual([]);
  });

  it('never removes what a model learned from, what is for training, held or waiting', async () => {
    await makeOlder(trained.itemIds, 400);
    const learned = await oldItem(400, 'OK');
    await service.db.insertInto('model_items').values({ model_id: 'm', item_id: learned }).execute();
    const [forTraining, held, ofLot, waiting, calling, free] = [
      await oldItem(400, 'OK'),
      await oldItem(400, 'OK'),
      await oldItem(400, 'NG', { lot: 'L 7' }),
      await oldItem(400),
      await oldItem(400),
      await oldItem(400),
    ];
    await post('/api/v1/items/assess', { item_ids: [forTraining], is_training_data: true });
    await service.db.updateTable('items').set({ status: 'queued' }).where('item_id', '=', waiting).execute();
    const delivery = { delivery_id: 'd', model_id: 'm', item_id: calling, status: 'pending' as const, attempts: 0 };
    await service.db
      .insertInto('deliveries')
      .values({ ...delivery, snapshot: '', created_at: new Date().toISOString() })
      .execute();
    const hold = dataOf<{ hold_id: string; items: number }>(
      await post('/api/v1/retention/holds', { reason: 'complaint 4711', item_ids: [held] }),
    );
    expect(hold.items).toBe(1);
    await post('/api/v1/retention/holds', { reason: 'recall', filter: { lot: 'L 7' } });
    await addRule({ everywhere: true, record_days: 300, image_days: { OK: 1, NG: 1, unjudged: 1 } });
    expect(await run()).toMatchObject({ records: 1 });
    expectError(await service.call('GET', `/api/v1/items/${free}`), 404);
    for (const id of [...trained.itemIds, learned, forTraining, held, ofLot, waiting, calling])
      expect((await read(id)).images_removed_at, id).toBeUndefined();

    for (const id of [held, ofLot]) {
      const refused = await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [calling, id] } });
      expect(expectError(refused, 409).detail).toContain(id);
    }
    expect(await get('/api/v1/retention/holds')).toMatchObject([
      { reason: 'recall', filter: { lot: 'L 7' }, items: 1 },
      { reason: 'complaint 4711', filter: null, items: 1 },
    ]);
    await service.call('DELETE', `/api/v1/retention/holds/${hold.hold_id}`);
    expectError(await service.call('DELETE', `/api/v1/retention/holds/${hold.hold_id}`), 404);
    await service.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
    await service.db.deleteFrom('model_items').where('model_id', '=', 'm').execute();
    expect(await run()).toMatchObject({ records: 3 });
    expect((await read(ofLot)).images[0]).toHaveProperty('url');
    await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [forTraining] } });
  });

  it.each([
    [{ reason: ' ', item_ids: ['a'] }, 422, 'reason'],
    [{ reason: 'a' }, 422, 'item_ids'],
    [{ reason: 'a', item_ids: ['a'], filter: { lot: 'L' } }, 422, 'item_ids'],
    [{ reason: 'a', filter: {} }, 422, 'filter'],
    [{ reason: 'a', filter: { colour: 'red' } }, 422, 'filter.colour'],
    [{ reason: 'a', item_ids: ['nobody'] }, 404, 'nobody'],
  ])('a hold is refused in words: %j', async (hold, status, key) => {
    expectError(await post('/api/v1/retention/holds', hold), status, key);
  });
});

describe('the room on the disk', () => {
  let sizes: Map<string, number>;
  let ids: string[];
  beforeEach(async () => {
    ids = [await oldItem(3, 'NG'), await oldItem(2, 'OK'), await oldItem(1, 'OK'), await oldItem(0.01, 'OK')];
    sizes = new Map();
    for (const id of ids) sizes.set(id, (await read(id)).images[0]?.file_size ?? 0);
  });
  afterEach(async () => {
    await service.call('DELETE', '/api/v1/items/', { body: { item_ids: ids } });
    await setRetention({ min_free_bytes: null, capacity_bytes: null });
    await newMeasurement();
  });

  const stored = async () => (await get<{ image_bytes: number }>('/api/v1/status')).image_bytes;

  it('is made when it gets short: in the order of the rule, the oldest first, and only as much as is missing', async () => {
    await addRule({ everywhere: true, when_short: ['OK', 'NG'] });
    const capacity = (await stored()) + 1000;
    const floor = 1000 + Math.ceil((sizes.get(ids[1] ?? '') ?? 0) / 2);
    expect((await setRetention({ capacity_bytes: capacity, min_free_bytes: floor })).status).toBe(200);
    await newMeasurement();
    const shown = await preview();
    expect(shown).toMatchObject({ images: 1, missing_bytes: 0, removed: [{ reason: 'space', verdict: 'OK' }] });
    const uploaded = await service.upload([{ name: 'one more.png', bytes: await stripes(phase++) }], {
      training: 'false',
    });
    ids.push(...dataOf<{ item_ids: string[] }>(uploaded).item_ids);
    const state = () => get<State>('/api/v1/retention/');
    const after = await eventually(state, ({ last_run: last }) => last?.cause === 'space' && last.status === 'done');
    expect(after.refuses_uploads).toBe(false);
    expect(after.disk?.free_bytes).toBeGreaterThanOrEqual(floor);
    expect((await read(ids[1] ?? '')).images_removed_at).toBeDefined();
    for (const id of [ids[0], ids[3]]) expect((await read(id ?? '')).images_removed_at).toBeUndefined();
  });

  it('ends where nothing may be removed: uploads are refused in words until there is room', async () => {
    const capacity = (await stored()) + 10;
    await setRetention({ capacity_bytes: capacity, min_free_bytes: 1000 });
    expect(await preview()).toMatchObject({ images: 0, missing_bytes: 1090 });
    await run();
    await newMeasurement();
    const before = await stored();
    const refused = await service.upload([{ name: 'a.png', bytes: await stripes(phase++) }], { training: 'false' });
    expect(expectError(refused, 507).detail).toMatch(/no more images to be removed/);
    expect(refused.headers['retry-after']).toBe('60');
    expect(await stored()).toBe(before);
    expect(await get<State>('/api/v1/retention/')).toMatchObject({
      refuses_uploads: true,
      status_text: expect.stringMatching(/less room/),
    });
    expect((await service.call('GET', '/readyz')).body).toMatchObject({ status: 'ready', disk: 'short' });
    const metrics = (await service.call('GET', '/metrics')).bytes.toString('utf8');
    expect(metrics).toMatch(/kensa_disk_free_bytes 10\n/);
    expect(metrics).toMatch(/kensa_retention_removed_images [1-9]/);
    expect(metrics).toMatch(/kensa_retention_last_run_timestamp_seconds \d/);
    expect(metrics).toMatch(/kensa_disk_days_until_full (0|\+Inf)\n/);
    await setRetention({ capacity_bytes: capacity + 1_000_000 });
    await newMeasurement();
    const accepted = await service.upload([{ name: 'a.png', bytes: await stripes(phase++) }], { training: 'false' });
    ids.push(...dataOf<{ item_ids: string[] }>(accepted).item_ids);
    const { disk } = await get<State>('/api/v1/retention/');
    expect(disk?.added_bytes_per_day).toBeGreaterThan(0);
    expect(disk?.days_until_full ?? 1).toBeGreaterThan(0);
    expect((await service.call('GET', '/readyz')).body).toMatchObject({ status: 'ready', disk: 'ok' });
  });
});

it('a daily run comes by itself at its time, once a day', async () => {
  const start = Date.now();
  await service.db.deleteFrom('retention_runs').where('cause', '=', 'daily').execute();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  try {
    const at = new Date(start + 300_000);
    const daily_at = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
    await setRetention({ daily_at });
    await addRule({ everywhere: true, image_days: { ...nothing, OK: 5 } });
    const upload = async (minutes: number) => {
      vi.setSystemTime(start + minutes * 60_000);
      const sent = await service.upload([{ name: 'd.png', bytes: await stripes(phase++) }], { training: 'false' });
      await makeOlder(dataOf<{ item_ids: string[] }>(sent).item_ids, 0);
    };
    const daily = async () => {
      const { runs } = await get<{ runs: Run[] }>('/api/v1/retention/runs?count=200');
      return runs.filter((one) => one.cause === 'daily' && one.status === 'done');
    };
    const old = await oldItem(9, 'OK');
    await upload(2);
    await eventually(daily, (runs) => runs.length === 1);
    expect((await read(old)).images_removed_at).toBeDefined();
    const other = await oldItem(9, 'OK');
    await upload(4);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await daily()).toHaveLength(1);
    await upload(8);
    await eventually(daily, (runs) => runs.length === 2);
    expect((await read(other)).images_removed_at).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
