import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { algorithms } from '../../src/vision/algorithms/catalogue.ts';
import { createRandom } from '../../src/vision/math/random.ts';
import type { OwnedImage } from '../../src/vision/types.ts';
import { sendForm } from '../support/multipart.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually } from '../support/trained-model.ts';
import { drawProduct } from '../vision/synthetic-product.ts';

interface ModelBody {
  model_id: string;
  status: string;
  status_text: string;
}
interface Verdict {
  model_id: string;
  result: string;
  anomaly_score: string;
  label: string | null;
}

const SCRATCH = { x_min: 54, x_max: 86, y_min: 28, y_max: 64, label: 1 };
const BLOT = { x_min: 16, x_max: 36, y_min: 60, y_max: 80, label: 7 };
const SMALL: Readonly<Record<string, string>> = { image_size: '96', bank_size: '200', training_steps: '12' };
const random = createRandom(78);

function drawBlot(): OwnedImage {
  const image = drawProduct(random, false);
  for (let y = BLOT.y_min; y < BLOT.y_max; y++)
    image.data.fill(170, (y * 96 + BLOT.x_min) * 3, (y * 96 + BLOT.x_max) * 3);
  return image;
}

const toFiles = (count: number, name: string, draw: () => OwnedImage) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { data, width, height } = draw();
      const raw = { width, height, channels: 3 } as const;
      return { name: `${name}-${index}.png`, bytes: await sharp(data, { raw }).png().toBuffer() };
    }),
  );

/** One of each type. `refine.test.ts` refines PatchCore; the engine's own tests refine every algorithm. */
const ids = ['padim', 'defect-classifier', 'defect-detector'];

/** Each model misses a scratch, of a class that it has never seen, and is refined by it. */
describe('refining models of every type', () => {
  let service: TestService;
  let scratch: string;
  let clean: string;

  const upload = async (
    files: Awaited<ReturnType<typeof toFiles>>,
    fields: Record<string, string>,
  ): Promise<string[]> => dataOf<{ item_ids: string[] }>(await service.upload(files, fields)).item_ids;
  const finished = async (queued: ModelBody): Promise<ModelBody> => {
    const model = await eventually(
      async () => dataOf<ModelBody>(await service.call('GET', `/api/v1/models/${queued.model_id}`)),
      ({ status }) => status !== 'queued' && status !== 'training',
      240_000,
    );
    expect(model.status, model.status_text).toBe('ready');
    return model;
  };
  const judge = async (modelId: string, itemIds: readonly string[]): Promise<Verdict[]> => {
    await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: itemIds } });
    return Promise.all(
      itemIds.map(async (id) => {
        const item = await eventually(
          async () =>
            dataOf<{ status: string; assessments: Verdict[] }>(await service.call('GET', `/api/v1/items/${id}`)),
          ({ status }) => status === 'done' || status === 'failed',
        );
        const verdict = item.assessments.find((one) => one.model_id === modelId);
        if (!verdict) throw new Error(`${id} was not judged: ${item.status}`);
        return verdict;
      }),
    );
  };
  const train = async (id: string): Promise<ModelBody> => {
    const specs = algorithms.find((algorithm) => algorithm.id === id)?.parameters ?? [];
    const override_params = specs.flatMap((spec) =>
      SMALL[spec.name] ? [{ algorithm_parameter_id: spec.id, value: SMALL[spec.name] }] : [],
    );
    const queued = await service.call('POST', `/api/v1/algorithms/${id}/train`, { body: { override_params } });
    return finished(dataOf<ModelBody>(queued));
  };

  beforeAll(async () => {
    service = await startTestService();
    const labels = [
      { label: 1, name: 'scratch' },
      { label: 7, name: 'blot' },
    ];
    await service.call('PUT', '/api/v1/labels', { body: { labels } });
    await upload(await toFiles(12, 'good', () => drawProduct(random, false)), { training: 'true', good: 'true' });
    for (const id of await upload(await toFiles(4, 'blot', drawBlot), { training: 'true', good: 'false' }))
      await service.call('PATCH', `/api/v1/items/${id}`, { body: { annotations: [BLOT] } });
    [scratch = ''] = await upload(await toFiles(1, 'scratch', () => drawProduct(random, true)), { training: 'false' });
    [clean = ''] = await upload(await toFiles(1, 'clean', () => drawProduct(random, false)), { training: 'false' });
    await service.call('PATCH', `/api/v1/items/${scratch}`, { body: { annotations: [SCRATCH] } });
  }, 60_000);
  afterAll(() => service.stop());

  it.each(ids)('%s learns it in a new version, which can be exported and imported', async (id) => {
    const parent = await train(id);
    const [before] = await judge(parent.model_id, [scratch, clean]);
    const threshold = Math.min(0.97, Number(before?.anomaly_score) + 0.02);
    const path = `/api/v1/models/${parent.model_id}`;
    await service.call('POST', `${path}/update_predict_parameters`, { body: { threshold } });
    expect((await judge(parent.model_id, [scratch, clean])).map(({ result }) => result)).toEqual(['OK', 'OK']);
    const child = await finished(
      dataOf<ModelBody>(await service.call('POST', `${path}/refine`, { body: { item_ids: [scratch] } })),
    );
    expect(child.status_text).toMatch(/Corrected 1 missed defect; no new error on \d+ known images/);
    const corrected = await judge(child.model_id, [scratch, clean]);
    expect(corrected.map(({ result }) => result)).toEqual(['NG', 'OK']);
    const algorithm = algorithms.find((one) => one.id === id);
    if (algorithm?.type !== 'anomaly_detection') expect(corrected[0]?.label).toBe('scratch');
    const exported = await service.call('POST', '/api/v1/models/export', { body: { model_ids: [child.model_id] } });
    const file = { name: 'models.zip', bytes: exported.bytes };
    const [copy] = dataOf<ModelBody[]>(await sendForm(service, '/api/v1/models/import', [{ field: 'models', file }]));
    const again = await judge(copy?.model_id ?? '', [scratch, clean]);
    expect(again.map(({ anomaly_score }) => anomaly_score)).toEqual(corrected.map((one) => one.anomaly_score));
  });
});
