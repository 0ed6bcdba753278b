import sharp from 'sharp';
import type { Answer, TestService } from './test-service.ts';

/** The `data` of a success. @throws if the answer is an error. */
export function dataOf<T>(answer: Answer): T {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return (answer.body as unknown as { data: T }).data;
}

export async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean, ms = 60_000): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > until) throw new Error(`It did not happen within ${ms} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A striped picture of 96 pixels; `phase` makes pictures that differ a little. */
export function stripes(phase: number): Promise<Buffer> {
  const size = 96;
  const pixels = Buffer.alloc(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const shade = 128 + 60 * Math.sin((x + phase) / 5) + 20 * Math.cos((y - phase) / 9);
      pixels.fill(Math.round(shade), (y * size + x) * 3, (y * size + x) * 3 + 3);
    }
  }
  return sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer();
}

/** The quickest model that there is: four small pictures. @returns its id and those of its items. */
export async function trainSmallModel(service: TestService): Promise<{ modelId: string; itemIds: string[] }> {
  const files = await Promise.all(
    [0, 1, 2, 3].map(async (phase) => ({ name: `stripes-${phase}.png`, bytes: await stripes(phase) })),
  );
  const uploaded = await service.upload(files, { training: 'true', good: 'true' });
  const { item_ids: itemIds } = dataOf<{ item_ids: string[] }>(uploaded);
  // A small input and a small memory bank.
  const override_params = [
    { algorithm_parameter_id: 102, value: '128' },
    { algorithm_parameter_id: 103, value: '200' },
  ];
  const order = { name: 'stripes', item_ids: itemIds, override_params };
  const queued = await service.call('POST', '/api/v1/algorithms/patchcore/train', { body: order });
  const { model_id: modelId } = dataOf<{ model_id: string }>(queued);
  const model = await eventually(
    async () => dataOf<{ status: string; status_text: string }>(await service.call('GET', `/api/v1/models/${modelId}`)),
    ({ status }) => status !== 'queued' && status !== 'training',
    240_000,
  );
  if (model.status !== 'ready') throw new Error(model.status_text);
  return { modelId, itemIds };
}
