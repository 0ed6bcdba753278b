import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes } from '../support/trained-model.ts';

interface ModelBody {
  status: string;
  status_text: string;
  status_messages: { code: string; values: object }[];
}

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const plain = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

async function ask(images: readonly Promise<Buffer>[], nameOf = (index: number) => `${index}.png`) {
  const files = await Promise.all(images.map(async (bytes, index) => ({ name: nameOf(index), bytes: await bytes })));
  const uploaded = await service.upload(files, { training: 'true', good: 'true' });
  const { item_ids } = dataOf<{ item_ids: string[] }>(uploaded);
  const path = '/api/v1/algorithms/patchcore';
  const readiness = await service.call('POST', `${path}/readiness`, { body: { item_ids } });
  const { oddities, supported_false_alarm_rate: rate } = dataOf<{
    oddities: { kind: string }[];
    supported_false_alarm_rate: number;
  }>(readiness);
  const override_params = [{ algorithm_parameter_id: 102, value: '128' }];
  const { model_id: modelId } = dataOf<{ model_id: string }>(
    await service.call('POST', `${path}/train`, { body: { item_ids, override_params } }),
  );
  const model = await eventually(
    async () => dataOf<ModelBody>(await service.call('GET', `/api/v1/models/${modelId}`)),
    ({ status }) => status !== 'queued' && status !== 'training',
  );
  return { kinds: oddities.map(({ kind }) => kind), rate, model, item_ids };
}

it.each([
  ['black images', 'no_contrast', /shows nothing but one colour/, (i: number) => plain(64 + i, 64, 'black')],
  ['images of one pixel', 'too_small', /less than 16 pixels wide or high/, (i: number) => plain(1, 1 + i, 'white')],
  [
    'images of an extreme shape',
    'too_narrow',
    /more than 32 times as long as it is wide/,
    (i: number) => plain(1200 + i, 20, 'white'),
  ],
])('%s are named by readiness and refused by training', async (_what, kind, reason, make) => {
  const { kinds, model } = await ask([0, 1, 2, 3].map(make));
  expect(kinds).toEqual([kind, kind, kind, kind]);
  expect(model).toMatchObject({ status: 'failed', status_text: expect.stringMatching(reason) });
});

it('one image that was uploaded four times is named by readiness and by training', async () => {
  const { kinds, model, item_ids } = await ask([stripes(1), stripes(1), stripes(1), stripes(1)]);
  expect(kinds).toEqual(['duplicate', 'duplicate', 'duplicate']);
  const copies = model.status_messages.find(({ code }) => code === 'remark.copies');
  expect(copies?.values).toEqual({ names: ['1', '2', '3'], item_ids: item_ids.slice(1) });
  expect(model.status_text).toMatch(
    /With 1 good item, false alarms can be held to .* Copies of other good images, not learned from: 1, 2, 3\./,
  );
});

it('readiness and training count items, not images, and their figures have a few digits', async () => {
  const names = ['a/top.png', 'a/side.png', 'b/top.png', 'b/side.png', 'copy.png'];
  const { rate, model } = await ask([1, 2, 3, 4, 1].map(stripes), (index) => names[index] ?? '');
  expect(rate).toBe(1 / 3);
  expect(model.status_text).toContain(
    'With 2 good items, false alarms can be held to 33.3\u00a0% at best; add 97 more to hold them to 1\u00a0%.',
  );
  expect(model.status_text).not.toMatch(/\d\.\d{5}/);
});
