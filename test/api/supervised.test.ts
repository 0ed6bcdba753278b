import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/vision/math/random.ts';
import { intersectionOverUnion } from '../../src/vision/math/rectangle.ts';
import type { OwnedImage } from '../../src/vision/types.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually } from '../support/trained-model.ts';
import { drawProduct } from '../vision/synthetic-product.ts';

interface Region {
  readonly x_min: number;
  readonly x_max: number;
  readonly y_min: number;
  readonly y_max: number;
  readonly label?: number | null;
}

interface Assessment {
  readonly result: string;
  readonly label: string;
  readonly detected_objects: number;
  readonly annotations: readonly Region[];
}

const NAMES = { 1: 'scratch', 7: 'blot' } as const;
const SCRATCH = { x_min: 54, x_max: 86, y_min: 28, y_max: 64, label: 1 };
const BLOT = { x_min: 10, x_max: 36, y_min: 58, y_max: 84, label: 7 };
const random = createRandom(77);

/** The product of the engine's tests with a bright square in the lower left. */
function drawBlot(): OwnedImage {
  const image = drawProduct(random, false);
  for (let y = BLOT.y_min; y < BLOT.y_max; y++)
    image.data.fill(250, (y * 96 + BLOT.x_min) * 3, (y * 96 + BLOT.x_max) * 3);
  return image;
}

const toFile = async ({ width, height, data }: OwnedImage, name: string) => ({
  name: `${name}.png`,
  bytes: await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer(),
});

const draw = (count: number, name: string, one: () => OwnedImage) =>
  Promise.all(Array.from({ length: count }, (_, index) => toFile(one(), `${name}-${index}`)));

const corners = ({ x_min: xMin, x_max: xMax, y_min: yMin, y_max: yMax }: Region) => ({ xMin, xMax, yMin, yMax });

describe('learning from annotated defects', () => {
  let service: TestService;
  const ids = { good: [] as string[], scratch: [] as string[], blot: [] as string[] };

  const upload = async (files: Awaited<ReturnType<typeof draw>>, fields: Record<string, string>): Promise<string[]> =>
    dataOf<{ item_ids: string[] }>(await service.upload(files, fields)).item_ids;
  const read = async <T>(path: string): Promise<T> => dataOf<T>(await service.call('GET', path));

  beforeAll(async () => {
    service = await startTestService();
    const labels = Object.entries(NAMES).map(([label, name]) => ({ label: Number(label), name }));
    await service.call('PUT', '/api/v1/labels', { body: { labels } });
    await upload(await draw(12, 'good', () => drawProduct(random, false)), { training: 'true', good: 'true' });
    for (const [region, files] of [
      [SCRATCH, await draw(6, 'scratch', () => drawProduct(random, true))],
      [BLOT, await draw(6, 'blot', drawBlot)],
    ] as const)
      for (const itemId of await upload(files, { training: 'true', good: 'false' })) {
        const body = { annotations: [{ ...region, notes: 'seen by a person' }] };
        expect((await service.call('PATCH', `/api/v1/items/${itemId}`, { body })).status).toBe(202);
      }
    const test = { training: 'false' };
    ids.good = await upload(await draw(2, 'unseen-good', () => drawProduct(random, false)), test);
    ids.scratch = await upload(await draw(2, 'unseen-scratch', () => drawProduct(random, true)), test);
    ids.blot = await upload(await draw(2, 'unseen-blot', drawBlot), test);
  }, 60_000);
  afterAll(() => service.stop());

  async function train(algorithm: string, values: Readonly<Record<number, string>>): Promise<string> {
    const override_params = Object.entries(values).map(([id, value]) => ({
      algorithm_parameter_id: Number(id),
      value,
    }));
    const path = `/api/v1/algorithms/${algorithm}/train`;
    const queued = await service.call('POST', path, { body: { name: algorithm, override_params } });
    const { model_id: modelId } = dataOf<{ model_id: string }>(queued);
    const model = await eventually(
      () => read<{ status: string; status_text: string; ng_img_count: number }>(`/api/v1/models/${modelId}`),
      ({ status }) => status !== 'queued' && status !== 'training',
      240_000,
    );
    expect(model.status, model.status_text).toBe('ready');
    expect(model.ng_img_count).toBe(12);
    return modelId;
  }

  async function predict(modelId: string): Promise<(itemId: string) => Assessment> {
    const items = [...ids.good, ...ids.scratch, ...ids.blot];
    await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: items } });
    const found = new Map<string, Assessment>();
    for (const itemId of items) {
      const item = await eventually(
        () => read<{ assessments: Assessment[] }>(`/api/v1/items/${itemId}?model_id=${modelId}`),
        ({ assessments }) => assessments.length > 0,
      );
      const [assessment] = item.assessments;
      if (assessment) found.set(itemId, assessment);
    }
    return (itemId) => found.get(itemId) ?? expect.fail(`${itemId} has no assessment`);
  }

  it('gives each defect its rectangle and label number with defect-detector', async () => {
    const verdictOf = await predict(await train('defect-detector', { 502: '64', 503: '200', 506: '120' }));
    // Twelve images cannot promise that a good one never looks unusual elsewhere. It has no known defect.
    for (const itemId of ids.good)
      expect(verdictOf(itemId).annotations.filter((region) => typeof region.label === 'number')).toEqual([]);
    for (const [region, items] of [
      [SCRATCH, ids.scratch],
      [BLOT, ids.blot],
    ] as const)
      for (const itemId of items) {
        const { result, label, annotations } = verdictOf(itemId);
        expect([result, label]).toEqual(['NG', NAMES[region.label as 1 | 7]]);
        const [best] = annotations.filter((one) => one.label === region.label);
        expect(best, JSON.stringify(annotations)).toBeDefined();
        expect(best && intersectionOverUnion(corners(best), corners(region))).toBeGreaterThan(0.33);
      }
  }, 300_000);

  it('names the class of an item with defect-classifier', async () => {
    const verdictOf = await predict(await train('defect-classifier', { 402: '96', 403: '200' }));
    for (const itemId of ids.good) expect(verdictOf(itemId).result).toBe('OK');
    for (const itemId of ids.scratch) expect(verdictOf(itemId)).toMatchObject({ result: 'NG', label: 'scratch' });
    for (const itemId of ids.blot) expect(verdictOf(itemId)).toMatchObject({ result: 'NG', label: 'blot' });
  }, 300_000);
});
