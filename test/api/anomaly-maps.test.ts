import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Item {
  readonly assessments: readonly {
    readonly anomaly_score: string;
    readonly images: readonly { readonly map_url?: string }[];
  }[];
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it('an assessment links to its scores alone, which are high where the defect is', async () => {
  const { modelId } = await trainSmallModel(service);
  const black = {
    input: await sharp({ create: { width: 24, height: 24, channels: 3, background: '#000' } })
      .png()
      .toBuffer(),
  };
  const bytes = await sharp(await stripes(1))
    .composite([{ ...black, left: 66, top: 8 }])
    .png()
    .toBuffer();
  const uploaded = await service.upload([{ name: 'part.png', bytes }], { training: 'false', model_id: modelId });
  const [itemId] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
  const read = async () => dataOf<Item>(await service.call('GET', `/api/v1/items/${itemId}`));
  const { assessments } = await eventually(read, (item) => item.assessments.length > 0);
  const url = new URL(assessments[0]?.images[0]?.map_url ?? '', 'http://localhost');
  const answer = await service.call('GET', url.pathname + url.search);
  expect(answer.headers['content-type']).toBe('image/png');
  const { data, info } = await sharp(answer.bytes).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([96, 96, 1]);
  const at = (x: number, y: number) => data[y * info.width + x] ?? 0;
  expect(at(78, 20)).toBeGreaterThan(at(20, 80) + 25);
  // Half of the scale is the calibrated threshold.
  expect(Math.max(...data) / 255).toBeCloseTo(Number(assessments[0]?.anomaly_score), 1);
  url.searchParams.set('signature', 'x');
  expect((await service.call('GET', url.pathname + url.search)).status).toBe(403);
});
