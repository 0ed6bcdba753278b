import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const data = <T>(answer: { body: object }): T => (answer.body as { data: T }).data;
const unknown = '01930000-0000-7000-8000-000000000000';

/** What the page needs beyond the contract; the engine rests, its verdicts are written by hand. */
describe('operations for the page', () => {
  let service: TestService;
  let training: string[];
  let inspected: string[];
  const modelId = '01930000-0000-7000-8000-00000000000a';

  beforeAll(async () => {
    service = await startTestService({}, { work: false });
    const files = await demoFiles({ good: 4, testGood: 2, testDefect: 2 }, { pixels: 64 });
    const ids = async (list: typeof files.training, fields: Record<string, string>) =>
      data<{ item_ids: string[] }>(await service.upload(list, fields)).item_ids;
    training = await ids(files.training, { training: 'true', good: 'true' });
    inspected = await ids(files.test, { training: 'false' });
    await insertModel(service, modelId);
    const scores = [0.2, 0.45, 0.55, 0.9];
    for (const [index, item_id] of inspected.entries()) {
      await insertAssessment(service, item_id, modelId, scores[index] ?? 0);
    }
  });
  afterAll(() => service.stop());

  it('judges many items at once, all or none', async () => {
    const [first = '', second = ''] = inspected;
    const region = { x_min: 1, y_min: 1, x_max: 9, y_max: 9, label: 3 };
    await service.call('PATCH', `/api/v1/items/${second}`, { body: { annotations: [region] } });
    const refused = await service.call('POST', '/api/v1/items/assess', {
      body: { item_ids: [first, unknown], good: true },
    });
    expectError(refused, 404, unknown);

    const answer = await service.call('POST', '/api/v1/items/assess', {
      body: { item_ids: [first, second, first], good: false },
    });
    expect(answer.body).toEqual({ data: { item_ids: [first, second] } });
    const verdict = async (id: string) =>
      data<{ user_assessment?: { result: string; label: string; annotations: unknown[] } }>(
        await service.call('GET', `/api/v1/items/${id}`),
      ).user_assessment;
    expect(await verdict(first)).toMatchObject({ result: 'NG', label: 'defect' });
    // A verdict that stands keeps its name and its regions.
    expect(await verdict(second)).toMatchObject({ result: 'NG', label: '3', annotations: [{ x_min: 1 }] });

    await service.call('POST', '/api/v1/items/assess', { body: { item_ids: [second], good: true } });
    expect(await verdict(second)).toMatchObject({ result: 'OK', label: 'good', annotations: [] });
  });

  it('gives each item its own verdict, and takes verdicts back', async () => {
    const [first = '', second = '', third = ''] = inspected;
    const userOf = async (id: string) =>
      data<{ user_assessment?: { result: string; label: string; annotations: unknown[] } }>(
        await service.call('GET', `/api/v1/items/${id}`),
      ).user_assessment;
    const region = { x_min: 1, y_min: 2, x_max: 9, y_max: 8, label: 3, notes: 'deep' };
    await service.call('PATCH', `/api/v1/items/${first}`, { body: { annotations: [region] } });
    const body = { item_ids: [first, second, third], good: true, show_previous: true };
    const { previous } = data<{ previous: unknown[] }>(await service.call('POST', '/api/v1/items/assess', { body }));
    expect(previous).toEqual([
      { item_id: first, good: false, annotations: [region] },
      { item_id: second, good: true, annotations: [] },
      { item_id: third, good: null, annotations: [] },
    ]);
    const set = (verdicts: unknown) => service.call('PUT', '/api/v1/items/verdicts', { body: { verdicts } });
    expect((await set(previous)).body).toEqual({ data: { item_ids: [first, second, third] } });
    expect(await userOf(first)).toMatchObject({ result: 'NG', label: '3', annotations: [region] });
    expect(await userOf(second)).toMatchObject({ result: 'OK', annotations: [] });
    expect(await userOf(third)).toBeUndefined();
    const empty = { good: null, annotations: [] };
    expectError(await set([{ item_id: unknown, ...empty }]), 404, unknown);
    expectError(await set([{ item_id: first, good: true, annotations: [region] }]), 422, 'verdicts.0.good');
    const outside = { ...region, x_max: 900 };
    const wrong = [
      { item_id: second, ...empty },
      { item_id: first, good: false, annotations: [outside] },
    ];
    expectError(await set(wrong), 422, 'verdicts.1.annotations.0.x_max');
    expectError(
      await set([
        { item_id: second, ...empty },
        { item_id: second, ...empty },
      ]),
      422,
      'verdicts.1.item_id',
    );
    expectError(await set([]), 422, 'verdicts');
    expect(await userOf(second)).toMatchObject({ result: 'OK' });
    await set([{ item_id: first, good: false, annotations: [] }]);
  });

  it('moves items between training and inspection, and rests them', async () => {
    const [moved = ''] = training;
    const body = { item_ids: [moved], is_training_data: false, active: false };
    expect((await service.call('POST', '/api/v1/items/assess', { body })).status).toBe(200);
    const item = data<{ is_training_data: boolean; active: boolean }>(
      await service.call('GET', `/api/v1/items/${moved}`),
    );
    expect(item).toMatchObject({ is_training_data: false, active: false });
    const back = { item_ids: [moved], is_training_data: true, active: true };
    await service.call('POST', '/api/v1/items/assess', { body: back });
    expectError(await service.call('POST', '/api/v1/items/assess', { body: { item_ids: [moved] } }), 422, 'good');
    expectError(await service.call('POST', '/api/v1/items/assess', { body: { item_ids: [], good: true } }), 422);
  });

  it('tells what stands where', async () => {
    const answer = await service.call('GET', '/api/v1/overview?since=2020-01-01T00:00:00Z');
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    // Judged so far: the first NG (scored OK), the second OK (scored OK).
    expect(answer.body).toMatchObject({
      data: {
        active_model: { model_id: modelId, name: 'by hand' },
        training: { good: 4, ng: 0, unjudged: 0 },
        inspected: { items: 4, assessed: 4, judged: 2, ng_unjudged: 2, disagreements: 1, failed: 0 },
        recent: { ok: 2, ng: 2 },
        queue: { waiting: 0, running: 0 },
      },
    });
    const startOfToday = new Date(Date.now() - 3_600_000).toISOString();
    const { last_verdicts: last } = data<{ last_verdicts: { item_id: string }[] }>(answer);
    expect(last.map((item) => item.item_id)).toEqual([...inspected].reverse());
    // Another model calls all of them NG: that is not what waits for a person.
    const otherId = '01930000-0000-7000-8000-00000000000b';
    await insertModel(service, otherId, 0);
    for (const item_id of inspected) await insertAssessment(service, item_id, otherId, 0.8);
    const again = await service.call('GET', '/api/v1/overview');
    expect(again.body).toMatchObject({ data: { inspected: { assessed: 4, ng_unjudged: 2, disagreements: 1 } } });
    // Nor what the line saw today: an item counts by its first verdict, whichever model is active later.
    const seen = async () =>
      data<{ recent: object }>(await service.call('GET', `/api/v1/overview?since=${startOfToday}`)).recent;
    expect(await seen()).toEqual({ ok: 2, ng: 2 });
    const activate = async (id: string) => {
      await service.db
        .updateTable('models')
        .set(({ eb }) => ({ active: eb.case().when('model_id', '=', id).then(1).else(0).end() }))
        .execute();
    };
    await activate(otherId);
    expect(await seen()).toEqual({ ok: 2, ng: 2 });
    // An inspection again, with a threshold of its own, changes what stands beside the item. The line had its verdict.
    const [newest = '', earlier = ''] = [...inspected].reverse();
    for (const score of [0.1, 0.9]) {
      const stored = service.db.deleteFrom('assessments').where('item_id', '=', newest);
      await stored.where('model_id', '=', modelId).execute();
      await insertAssessment(service, newest, modelId, score);
      expect(await seen()).toEqual({ ok: 2, ng: 2 });
    }
    // An item of an earlier day is not inspected today for the first time.
    const yesterday = new Date(Date.now() - 30 * 3_600_000).toISOString();
    const ofItem = service.db.updateTable('items').where('item_id', '=', earlier);
    await ofItem.set({ first_assessed_at: yesterday }).execute();
    expect(await seen()).toEqual({ ok: 2, ng: 1 });
    await activate(modelId);
    await service.call('DELETE', `/api/v1/models/?model_ids=${otherId}`);
    expect(await seen()).toEqual({ ok: 2, ng: 1 });
    const later = await service.call('GET', `/api/v1/overview?since=${new Date(Date.now() + 1e6).toISOString()}`);
    expect(later.body).toMatchObject({ data: { recent: { ok: 0, ng: 0 }, inspected: { assessed: 4 } } });
    expectError(await service.call('GET', '/api/v1/overview?since=yesterday'), 422, 'since');
  });

  it('lists the scores that a threshold decides on', async () => {
    const answer = await service.call('GET', '/api/v1/models/active/scores?count=3');
    expect(answer.body).toMatchObject({
      data: {
        threshold: 0.5,
        // raw₀ is 2: raw 2 lies at 0.5, raw 6 at 0.75.
        held_out: { good: [0.5, 1 / 3], ng: [0.75] },
        total: 4,
        items: [
          { score: 0.9, result: 'NG', user_result: null },
          { score: 0.55, result: 'NG', user_result: null },
          { score: 0.45, result: 'OK', user_result: 'OK' },
        ],
      },
    });
    expectError(await service.call('GET', `/api/v1/models/${unknown}/scores`), 404);
    expectError(await service.call('GET', '/api/v1/models/active/scores?count=0'), 422, 'count');
  });

  it('says whether a training would be on firm ground', async () => {
    const path = '/api/v1/algorithms/patchcore/readiness';
    const answer = await service.call('POST', path, { body: {} });
    expect(answer.body).toEqual({
      data: {
        good: 4,
        ng: 0,
        unjudged: 0,
        images: 4,
        supported_false_alarm_rate: 0.2,
        regions: [],
        oddities: [],
        oddity_count: 0,
      },
    });
    const some = await service.call('POST', path, { body: { item_ids: [training[0], inspected[3]] } });
    expect(some.body).toMatchObject({ data: { good: 1, ng: 0, unjudged: 1, images: 1 } });
    const image = (side: number, background: string) =>
      sharp({ create: { width: side, height: side, channels: 3, background } })
        .png()
        .toBuffer();
    const unusual = { 'p/1.png': image(40, 'black'), 'p/2.png': image(41, 'white'), 'q.png': image(8, 'red') };
    const files = await Promise.all(
      Object.entries(unusual).map(async ([name, bytes]) => ({ name, bytes: await bytes })),
    );
    const { item_ids: oddIds } = data<{ item_ids: string[] }>(await service.upload(files, { training: 'true' }));
    // Two images of one item vouch for as much as one.
    const checked = await service.call('POST', path, { body: { item_ids: oddIds } });
    expect(checked.body).toMatchObject({ data: { good: 2, images: 3, supported_false_alarm_rate: 0.5 } });
    const { oddities } = data<{ oddities: { name: string; kind: string }[] }>(checked);
    expect(oddities.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
      'p no_contrast',
      'p no_contrast',
      'q too_small',
    ]);
    await service.call('DELETE', '/api/v1/items/', { body: { item_ids: oddIds } });
    const region = { x_min: 1, y_min: 1, x_max: 9, y_max: 9 };
    const drawn = { annotations: [region, { ...region, label: 2 }, { ...region, label: 2 }] };
    await service.call('PATCH', `/api/v1/items/${inspected[3]}`, { body: drawn });
    const labelled = await service.call('POST', path, { body: { item_ids: [training[0], inspected[3]] } });
    expect(labelled.body).toMatchObject({
      data: {
        ng: 1,
        regions: [
          { label: null, regions: 1, items: 1 },
          { label: 2, regions: 2, items: 1 },
        ],
      },
    });
    const ngWithout = { item_ids: [training[0], inspected[0]] };
    const refused = await service.call('POST', '/api/v1/algorithms/defect-detector/train', { body: ngWithout });
    expectError(refused, 422, 'item_ids');
    expect(JSON.stringify(refused.body)).toMatch(/has a rectangle to learn from/);
    expectError(await service.call('POST', path, { body: { item_ids: [unknown] } }), 404, unknown);
    expectError(await service.call('POST', '/api/v1/algorithms/nothing/readiness', { body: {} }), 404);
  });

  it('shows workers, queue and what is stored', async () => {
    const answer = await service.call('GET', '/api/v1/status');
    expect(answer.body).toMatchObject({
      data: {
        version: '0.0.0-test',
        database: expect.stringMatching(/^(sqlite|postgres)$/),
        workers: 1,
        items: 8,
        images: 8,
        models: 1,
        license: { required: false, expiry: null },
      },
    });
    const { queue } = data<{ queue: { kind: string; waiting: number }[] }>(answer);
    expect(queue.map((one) => one.kind).sort()).toEqual(['deliver', 'predict', 'refine', 'retain', 'sweep', 'train']);
  });

  it('lets nobody in without a token', async () => {
    for (const path of ['/api/v1/overview', '/api/v1/status', '/api/v1/models/active/scores']) {
      expectError(await service.call('GET', path, { token: null }), 401);
    }
  });

  it('shows a TIFF, which no browser does, as WebP without loss', async () => {
    const pixels = { width: 5, height: 3, channels: 3 } as const;
    const data = Buffer.from(Array.from({ length: 45 }, (_, i) => (i * 37) % 256));
    const bytes = await sharp(data, { raw: pixels }).tiff({ compression: 'lzw' }).toBuffer();
    const upload = await service.upload([{ name: 'scan.tif', bytes }], { training: 'true' });
    const [id = ''] = (upload.body as { data: { item_ids: string[] } }).data.item_ids;
    const item = await service.call('GET', `/api/v1/items/${id}`);
    const { images } = (item.body as { data: { images: { url: string }[] } }).data;
    const shown = await service.app.inject({ url: images[0]?.url ?? '' });
    expect(shown.headers['content-type']).toBe('image/webp');
    expect(await sharp(shown.rawPayload).raw().toBuffer()).toEqual(data);
  });
});

async function insertModel(service: TestService, modelId: string, active = 1): Promise<void> {
  const now = new Date().toISOString();
  await service.db
    .insertInto('models')
    .values({
      model_id: modelId,
      name: 'by hand',
      algorithm_id: 'patchcore',
      algorithm_type: 'anomaly_detection',
      version: 1,
      context_id: 1,
      status: 'ready',
      status_text: 'Ready.',
      active,
      params: '{}',
      steps: '[]',
      step_references: '{}',
      seed: 0,
      image_blob: null,
      ok_img_count: 4,
      ng_img_count: 0,
      training_time: 1,
      accuracy: null,
      precision: null,
      recall: null,
      model_blob: null,
      backbone_id: null,
      backbone_blob: null,
      calibration: JSON.stringify({ rawThreshold: 2, goodScores: [2, 1], defectScores: [6] }),
      backbone_description: null,
      threshold: 0.5,
      ignore_outer: 'none',
      min_detected_area: 0,
      callback_url: null,
      callback_method: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

async function insertAssessment(service: TestService, item_id: string, model_id: string, score: number) {
  const result = score >= 0.5 ? ('NG' as const) : ('OK' as const);
  await service.db
    .insertInto('assessments')
    .values({
      item_id,
      model_id,
      result,
      label: result === 'OK' ? 'good' : 'defect',
      anomaly_score: score.toFixed(6),
      raw_score: score,
      threshold: 0.5,
      detected_objects: 0,
      detection_accuracy: 80,
      predicted_at: new Date().toISOString(),
      duration_ms: 1,
    })
    .execute();
}
