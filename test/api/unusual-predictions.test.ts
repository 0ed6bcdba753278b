import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  name: string;
  status: string;
  status_text: string | null;
  assessments: { model_id: string }[];
}

let service: TestService;
let modelId: string;
let itemIds: string[];
let image: Buffer;

beforeAll(async () => {
  service = await startTestService();
  ({ modelId, itemIds } = await trainSmallModel(service));
  image = await stripes(1.5);
}, 240_000);
afterAll(() => service.stop());

const read = async (id: string): Promise<Item> => dataOf<Item>(await service.call('GET', `/api/v1/items/${id}`));
const predict = (model: string, ids: string[]) =>
  service.call('POST', `/api/v1/models/${model}/predict`, { body: { item_ids: ids } });
const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ status }) => !['queued', 'processing'].includes(status),
  );
const send = (fields: Record<string, string>, name = 'part.png') =>
  service.upload([{ name, bytes: image }], { training: 'false', ...fields });

/** The same model once more, under another id. */
async function copyModel(): Promise<string> {
  const zip = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [modelId] } });
  const form = new FormData();
  form.append('models', new Blob([new Uint8Array(zip.bytes)]), 'models.zip');
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const body = Buffer.from(await request.arrayBuffer());
  const [copy] = dataOf<{ model_id: string }[]>(await service.call('POST', '/api/v1/models/import', { body, headers }));
  return copy?.model_id ?? '';
}

it('an item that another model has judged stays done when the model that was to judge it next is deleted', async () => {
  await predict(modelId, itemIds);
  for (const id of itemIds) expect((await ended(id)).status).toBe('done');
  const copy = await copyModel();
  await predict(copy, itemIds);
  await service.call('DELETE', `/api/v1/models/?model_ids=${copy}`);
  for (const id of itemIds) {
    const { status, assessments } = await ended(id);
    expect([status, ...assessments.map((one) => one.model_id)]).toEqual(['done', modelId]);
  }
}, 60_000);

it('an item whose only verdict goes with its model waits again and says why, also where it was being predicted', async () => {
  const files = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => ({ name: `line-${index}.png`, bytes: await stripes(index / 10) })),
  );
  const { item_ids: ids } = dataOf<{ item_ids: string[] }>(await service.upload(files, { training: 'false' }));
  for (const isPredictedBefore of [false, true]) {
    const copy = await copyModel();
    await predict(copy, ids);
    const doneAtLeast = isPredictedBefore ? ids.length : 3;
    await eventually(
      () => Promise.all(ids.map(read)),
      (items) => items.filter(({ status }) => status === 'done').length >= doneAtLeast,
    );
    if (isPredictedBefore) await predict(copy, ids);
    expect((await service.call('DELETE', `/api/v1/models/?model_ids=${copy}`)).status).toBe(200);
    for (const id of ids) {
      const { status, status_text, assessments } = await ended(id);
      expect({ status, status_text, assessments }).toEqual({
        status: 'pending',
        status_text: expect.stringContaining('model was deleted'),
        assessments: [],
      });
    }
  }
  await predict(modelId, ids);
  for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'done', status_text: null });
}, 120_000);

it('an item that two models are asked about is done when both have judged it, and failed where the later one failed', async () => {
  const copy = await copyModel();
  for (const model of [modelId, copy]) await predict(model, itemIds);
  for (const id of itemIds) {
    const { status, assessments } = await ended(id);
    expect([status, assessments.map((one) => one.model_id).sort()]).toEqual(['done', [modelId, copy].sort()]);
  }
  await service.call('POST', `/api/v1/models/${copy}/update_predict_parameters`, { body: { ignore_outer: '96px' } });
  const statusAfter = async (...models: string[]) => {
    for (const model of models) await predict(model, itemIds);
    return Promise.all(itemIds.map(async (id) => (await ended(id)).status));
  };
  expect(new Set(await statusAfter(copy, modelId))).toEqual(new Set(['done']));
  expect(new Set(await statusAfter(modelId, copy))).toEqual(new Set(['failed']));
  await service.call('DELETE', `/api/v1/models/?model_ids=${copy}`);
  expect(new Set(await statusAfter(modelId))).toEqual(new Set(['done']));
}, 60_000);

it('an image without anything left between the margins fails in words instead of passing as good', async () => {
  // An imported model does not know the sizes of its images.
  const copy = await copyModel();
  await service.call('POST', `/api/v1/models/${copy}/update_predict_parameters`, { body: { ignore_outer: '96px' } });
  const { item_ids: ids } = dataOf<{ item_ids: string[] }>(await send({ model_id: copy }));
  const item = await ended(ids[0] ?? '');
  expect(item).toMatchObject({ status: 'failed', assessments: [] });
  expect(item.status_text).toContain('ignore_outer is "96px"');
  await service.call('DELETE', `/api/v1/models/?model_ids=${copy}`);
}, 60_000);

it('margins that leave nothing of the images that a model has learned from are refused', async () => {
  const path = `/api/v1/models/${modelId}/update_predict_parameters`;
  const refused = expectError(await service.call('POST', path, { body: { ignore_outer: '96px' } }), 400);
  expect(refused.detail).toMatch(/ignore_outer: is "96px", which leaves nothing of an image of \d+×\d+ pixels/);
  for (const ignore_outer of ['60% 0 0 0', 'none'])
    expect((await service.call('POST', path, { body: { ignore_outer } })).status).toBe(200);
}, 60_000);

it('an upload for a model that cannot predict is refused as its prediction is, and stores nothing', async () => {
  const total = async (): Promise<number> =>
    dataOf<{ total: number }>(await service.call('GET', '/api/v1/items/?item_type=prediction')).total;
  const before = await total();
  const refusedAlike = async (id: string): Promise<void> => {
    const refused = expectError(await send({ model_id: id }), 400);
    expect(expectError(await predict(id, ['any']), 400).detail).toBe(refused.detail);
  };
  await refusedAlike('nobody');
  const cancelled = dataOf<{ model_id: string }>(
    await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: {} }),
  ).model_id;
  await service.call('POST', `/api/v1/models/${cancelled}/cancel`);
  await refusedAlike(cancelled);
  expect(await total()).toBe(before);
});

it('"active" is refused alike by every operation where no model is active', async () => {
  const fresh = await startTestService({}, { work: false });
  try {
    const files = [{ name: 'a.png', bytes: image }];
    const item = dataOf<{ item_ids: string[] }>(await fresh.upload(files, { training: 'true' })).item_ids[0];
    const model = '/api/v1/models/active';
    const prediction = await fresh.call('POST', `${model}/predict`, { body: { item_ids: [item] } });
    const { detail } = expectError(prediction, 400);
    expect(detail).toContain('no model is active');
    const answers = [
      await fresh.upload(files, { training: 'false', model_id: 'active' }),
      await fresh.call('GET', '/api/v1/items/?item_type=prediction&model_id=active'),
      await fresh.call('GET', `/api/v1/items/${item}?model_id=active`),
      await fresh.call('GET', model),
      await fresh.call('DELETE', '/api/v1/models/?model_ids=active'),
      await fresh.call('GET', `${model}/events`),
      await fresh.call('GET', `${model}/scores`),
      await fresh.call('GET', `${model}/callbacks`),
      await fresh.call('POST', `${model}/callbacks/test`),
      await fresh.call('POST', `${model}/activate`),
      await fresh.call('POST', `${model}/cancel`),
      await fresh.call('POST', `${model}/refine`, { body: { item_ids: [item] } }),
      await fresh.call('POST', `${model}/update_predict_parameters`, { body: { threshold: 0.4 } }),
      await fresh.call('POST', `${model}/update_predict_callback`, { body: { callback_url: '' } }),
      await fresh.call('POST', '/api/v1/models/export', { body: { model_ids: ['active'] } }),
      await fresh.call('POST', '/api/v1/targets/model/results?model_ids=active'),
    ];
    for (const answer of answers) expect(expectError(answer, 400).detail).toBe(detail);
  } finally {
    await fresh.stop();
  }
});

it('an empty list of models is refused, so that nobody gets the results of all models by mistake', async () => {
  for (const list of ['model_ids=', 'model_ids[]=', 'model_ids=,']) {
    expectError(await service.call('POST', `/api/v1/targets/model/results?${list}`), 422, 'model_ids');
    expectError(await service.call('DELETE', `/api/v1/models/?${list}`), 422, 'model_ids');
  }
});

it('names are for people: what misleads a reader is taken out, and blank ones are refused', async () => {
  const uploaded = await send({ item_name: ' part\u202e 7\n' });
  expect((await read(dataOf<{ item_ids: string[] }>(uploaded).item_ids[0] ?? '')).name).toBe('part 7');
  expect((await send({ item_name: '\u{1f600}'.repeat(200) })).status).toBe(201);
  expectError(await send({ item_name: 'x'.repeat(201) }), 422, 'item_name');
  expectError(await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: { name: ' ' } }), 422, 'name');
  const labels = { labels: [{ label: 1, name: ' ' }] };
  expectError(await service.call('PUT', '/api/v1/labels', { body: labels }), 422, 'labels.0.name');
});

it('a training item is good unless the sender says otherwise, as the document says; an item to inspect has no verdict', async () => {
  const bytes = await stripes(90);
  const verdictOf = async (fields: Record<string, string>) => {
    const { item_ids: ids } = dataOf<{ item_ids: string[] }>(await service.upload([{ name: 'v.png', bytes }], fields));
    return dataOf<{ user_assessment?: { result: string } }>(await service.call('GET', `/api/v1/items/${ids[0]}`))
      .user_assessment?.result;
  };
  expect(await verdictOf({ training: 'true' })).toBe('OK');
  expect(await verdictOf({ training: 'true', good: 'false' })).toBe('NG');
  expect(await verdictOf({ training: 'false' })).toBeUndefined();
  const document = (await service.call('GET', '/openapi.json')).bytes.toString();
  expect(document).toContain('absent: good with training=true');
});

it('a label is not called as products without a defect are, nor as another label; duplicates of earlier days stay', async () => {
  const put = (...names: string[]) => {
    const labels = names.map((name, label) => ({ label, name }));
    return service.call('PUT', '/api/v1/labels', { body: { labels } });
  };
  for (const name of ['good', ' Good ', 'ＧＯＯＤ'])
    expect(expectError(await put('scratch', name), 422, 'labels.1.name').detail).toContain('without a defect');
  expect(expectError(await put('scratch', 'dent', 'Scratch '), 422, 'labels.2.name').detail).toContain('twice');
  expect(dataOf(await service.call('GET', '/api/v1/labels'))).toEqual([]);
  await service.db
    .insertInto('labels')
    .values([
      { label: 0, name: 'good' },
      { label: 1, name: 'dent' },
      { label: 2, name: 'dent' },
    ])
    .execute();
  expect((await put('good', 'dent', 'dent', 'scratch')).status).toBe(200);
  expectError(await put('good', 'dent', 'dent', 'dent'), 422, 'labels.3.name');
  expect((await put()).status).toBe(200);
});

it.each(['2026-06-30T23:59:60Z', '9999-12-31T23:59:59-12:00', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z'])(
  'a list since %s is refused in words',
  async (from) => {
    expectError(await service.call('GET', `/api/v1/items/?item_type=prediction&from=${from}`), 422, 'from');
  },
);
