import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  item_id: string;
  status: string;
  assessments: { result: string; anomaly_score: string; threshold: number }[];
}

let service: TestService;
let modelId: string;
let image: Buffer;

beforeAll(async () => {
  service = await startTestService();
  ({ modelId } = await trainSmallModel(service));
  image = await stripes(1.7);
}, 240_000);
afterAll(() => service.stop());

const upload = async (fields: Record<string, string>): Promise<string> => {
  const sent = await service.upload([{ name: 'part.png', bytes: image }], { training: 'false', ...fields });
  return dataOf<{ item_ids: string[] }>(sent).item_ids[0] ?? '';
};
const judged = async (id: string): Promise<Item> =>
  eventually(
    async () => dataOf<Item>(await service.call('GET', `/api/v1/items/${id}`)),
    ({ status }) => status === 'done' || status === 'failed',
  );

it('stores the same verdict whether it was found with the upload or later', async () => {
  const withUpload = await judged(await upload({ model_id: modelId }));
  const later = await upload({});
  await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: [later] } });
  const [first, second] = [withUpload.assessments[0], (await judged(later)).assessments[0]];
  expect(first?.anomaly_score).toBeDefined();
  expect({ ...first, ...changing }).toEqual({ ...second, ...changing });
});
const changing = { predicted_at: '', heatmap_url: '', image_results: '', images: '' };

it('stores the verdict together with the item', async () => {
  for (let turn = 0; turn < 4; turn++) {
    const id = await upload({ model_id: modelId });
    const rows = await service.db.selectFrom('items').select('status').where('item_id', '=', id).execute();
    expect(rows).toEqual([{ status: 'done' }]);
    const verdicts = service.db.selectFrom('assessments').select('model_id').where('item_id', '=', id);
    expect(await verdicts.execute()).toEqual([{ model_id: modelId }]);
  }
});

it('refuses a damaged image that is uploaded for a prediction', async () => {
  const bytes = image.subarray(0, image.length - 200);
  const answer = await service.upload([{ name: 'cut.png', bytes }], { training: 'false', model_id: modelId });
  expectError(answer, 422, 'cut.png');
});

it('judges by the threshold that holds when the verdict is stored', async () => {
  const score = Number((await judged(await upload({ model_id: modelId }))).assessments[0]?.anomaly_score);
  for (const threshold of [score * 0.9, score + (1 - score) * 0.5]) {
    const path = `/api/v1/models/${modelId}/update_predict_parameters`;
    await service.call('POST', path, { body: { threshold } });
    const { result } = (await judged(await upload({ model_id: modelId }))).assessments[0] ?? {};
    expect(result).toBe(score > threshold ? 'NG' : 'OK');
  }
});

it.each([
  ['an empty model', { training: 'false', model_id: '' }, 201],
  [
    'a training that is written as a number, with a model that is not there',
    { training: '1', model_id: 'nobody' },
    201,
  ],
  ['a model with a zero character', { training: 'false', model_id: 'a\0b' }, 422],
  ['a model with a name that is too long', { training: 'false', model_id: 'x'.repeat(201) }, 422],
  ['a model that is not there', { training: 'false', model_id: 'nobody' }, 400],
] as const)('answers %s as it did before files were inferred with the upload', async (_, fields, status) => {
  const answer = await service.upload([{ name: 'part.png', bytes: image }], fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
});
