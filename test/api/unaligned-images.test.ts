import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  item_id: string;
  status: string;
  status_text: string | null;
}

let service: TestService;
let modelId: string;
let blank: Buffer;

/** An item of these images, inspected by the model. */
async function inspect(images: Record<string, Buffer>): Promise<Item> {
  const files = Object.entries(images).map(([name, bytes]) => ({ name, bytes }));
  const uploaded = await service.upload(files, { training: 'false', model_id: modelId });
  const [id] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
  return eventually(
    async () => dataOf<Item>(await service.call('GET', `/api/v1/items/${id}`)),
    ({ status }) => !['queued', 'processing'].includes(status),
  );
}

beforeAll(async () => {
  service = await startTestService();
  blank = await sharp({ create: { width: 96, height: 96, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const uploaded = await service.upload([{ name: 'reference.png', bytes: await stripes(1) }], { training: 'false' });
  const [reference] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
  const align = { name: 'align', config: JSON.stringify({ reference }) };
  const target = { name: 'aligned', preprocessing: [align] };
  const { target_id: id } = dataOf<{ target_id: number }>(
    await service.call('POST', '/api/v1/targets/', { body: target }),
  );
  dataOf(await service.call('POST', `/api/v1/targets/${id}`));
  ({ modelId } = await trainSmallModel(service));
}, 240_000);
afterAll(() => service.stop());

it('a image in which the product was not found says so, also in the list and until it is inspected again', async () => {
  const item = await inspect({ 'blank.png': blank });
  const remark =
    /^align: the product was not found in this image \(match \d+\s%\), so the image was left where it is\.$/;
  expect(item).toMatchObject({ status: 'done', status_text: expect.stringMatching(remark) });
  const listed = dataOf<{ items: Item[] }>(await service.call('GET', '/api/v1/items/?item_type=prediction&count=1'));
  expect(listed.items[0]?.status_text).toMatch(remark);
  expect(await inspect({ 'found.png': await stripes(1) })).toMatchObject({ status: 'done', status_text: null });
}, 60_000);

it('an item of several images names the one', async () => {
  const item = await inspect({ 'part7/top.png': await stripes(1), 'part7/side.png': blank });
  expect(item.status_text).toMatch(/^side\.png: align: the product was not found/);
}, 60_000);
