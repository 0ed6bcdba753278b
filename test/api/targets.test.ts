import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { sendForm } from '../support/multipart.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, stripes } from '../support/trained-model.ts';

interface Target {
  target_id: number;
  name: string;
  preprocessing: { name: string; active?: boolean | null; config?: string | null }[];
  is_default: boolean;
}

let service: TestService;
let itemId: string;

beforeAll(async () => {
  service = await startTestService();
  const uploaded = await service.upload([{ name: 'part.png', bytes: await stripes(0) }], { training: 'false' });
  itemId = dataOf<{ item_ids: string[] }>(uploaded).item_ids[0] ?? '';
});
afterAll(() => service.stop());

const create = (body: object) => service.call('POST', '/api/v1/targets/', { body });
const crop = { name: 'crop', config: '{"x":0,"y":0,"width":50,"height":25}' };

describe('targets', () => {
  it('are made, read, changed and deleted', async () => {
    const made = dataOf<Target>(
      await create({ name: ' caps ', preprocessing: [crop, { name: 'gamma', active: false }] }),
    );
    expect(made).toMatchObject({ name: 'caps', is_default: false, preprocessing: [crop, { name: 'gamma' }] });
    const path = `/api/v1/targets/${made.target_id}`;
    expect(dataOf(await service.call('GET', path))).toEqual(made);
    const renamed = dataOf<Target>(await service.call('PUT', path, { body: { name: 'lids' } }));
    expect(renamed).toEqual({ ...made, name: 'lids' });
    const emptied = dataOf<Target>(await service.call('PUT', path, { body: { preprocessing: [] } }));
    expect(emptied).toEqual({ ...made, name: 'lids', preprocessing: [] });
    expect(dataOf(await service.call('DELETE', path))).toEqual({ target_id: made.target_id });
    expectError(await service.call('GET', path), 404);
    expectError(await service.call('DELETE', path), 404);
  });

  it('has one default, which cannot be deleted', async () => {
    const [first] = dataOf<Target[]>(await service.call('GET', '/api/v1/targets/'));
    expect(first).toMatchObject({ name: 'default', is_default: true, preprocessing: [] });
    const path = `/api/v1/targets/${first?.target_id}`;
    expect(expectError(await service.call('DELETE', path), 422).detail).toContain('it is the default');
    const other = dataOf<Target>(await create({ name: 'other' }));
    expect(dataOf(await service.call('POST', `/api/v1/targets/${other.target_id}`))).toMatchObject({
      is_default: true,
    });
    const targets = dataOf<Target[]>(await service.call('GET', '/api/v1/targets/'));
    expect(targets.filter((target) => target.is_default).map((target) => target.target_id)).toEqual([other.target_id]);
    expect(dataOf(await service.call('POST', path))).toMatchObject({ is_default: true });
    expect((await service.call('DELETE', `/api/v1/targets/${other.target_id}`)).status).toBe(200);
  });

  it('are refused with each bad field named', async () => {
    const steps = [
      { name: 'blur' },
      { name: 'crop', config: '{"width":0,"height":10}' },
      { name: 'gamma', config: 'no json' },
      { name: 'align', config: '{"reference":"nobody"}' },
    ];
    const { message } = expectError(await create({ name: 'x', preprocessing: steps }), 422);
    expect(message.map((problem) => problem.key)).toEqual([
      'preprocessing.0.name',
      'preprocessing.1.config.width',
      'preprocessing.2.config',
      'preprocessing.3.config.reference',
    ]);
    expectError(await create({ name: '' }), 422, 'name');
    expectError(await create({ preprocessing: [] }), 422, 'name');
    expectError(await create({ name: 'x', steps: [] }), 422, 'steps');
  });

  it('lists the steps that there are, with schemas and examples that are valid', async () => {
    const steps = dataOf<{ name: string; title: string; help: string; schema: object; example: string }[]>(
      await service.call('GET', '/api/v1/targets/steps'),
    );
    expect(steps.map((step) => step.name).sort()).toEqual(
      [
        ...['align', 'crop', 'denoise', 'equalize', 'gamma', 'grayscale', 'mask', 'resize', 'rotate', 'sharpen'],
        'white_balance',
      ].sort(),
    );
    for (const { name, example, help, schema } of steps) {
      expect(help.length).toBeGreaterThan(20);
      expect(schema).toHaveProperty('properties');
      const config = name === 'align' ? JSON.stringify({ ...JSON.parse(example), reference: itemId }) : example;
      expect((await create({ name, preprocessing: [{ name, config }] })).status, name).toBe(201);
    }
  });
});

describe('preview', () => {
  const sizeOf = async (bytes: Buffer) => {
    const { width, height, format } = await sharp(bytes).metadata();
    return { width, height, format };
  };

  it('shows an item after the steps of the target, or after steps to try', async () => {
    const { target_id: id } = dataOf<Target>(await create({ name: 'preview', preprocessing: [crop] }));
    const path = `/api/v1/targets/${id}/preview`;
    const saved = await service.call('POST', path, { body: { item_id: itemId } });
    expect(saved.headers['content-type']).toBe('image/webp');
    expect(await sizeOf(saved.bytes)).toEqual({ width: 48, height: 24, format: 'webp' });
    const steps = [{ name: 'rotate', config: '{"degrees":90}' }, crop];
    const tried = await service.call('POST', path, { body: { item_id: itemId, preprocessing: steps } });
    expect(await sizeOf(tried.bytes)).toEqual({ width: 48, height: 24, format: 'webp' });
    const plain = await service.call('POST', path, { body: { item_id: itemId, preprocessing: [] } });
    expect(await sizeOf(plain.bytes)).toEqual({ width: 96, height: 96, format: 'webp' });
  });

  it('shows an image that is sent', async () => {
    const file = { name: 'new.png', bytes: await stripes(3) };
    const steps = { field: 'preprocessing', text: JSON.stringify([crop]) };
    const shown = await sendForm(service, '/api/v1/targets/1/preview', [{ field: 'image', file }, steps]);
    expect(await sizeOf(shown.bytes)).toEqual({ width: 48, height: 24, format: 'webp' });
    const wrong = { field: 'preprocessing', text: '{"name":"crop"}' };
    const refused = await sendForm(service, '/api/v1/targets/1/preview', [{ field: 'image', file }, wrong]);
    expectError(refused, 422, 'preprocessing');
    expectError(await sendForm(service, '/api/v1/targets/1/preview', [steps]), 422, 'image');
  });

  it('says what is not there', async () => {
    const ask = (body: object, id: string | number = 1) =>
      service.call('POST', `/api/v1/targets/${id}/preview`, { body });
    expectError(await ask({ item_id: 'nobody' }), 404, 'nobody');
    expectError(await ask({ item_id: itemId }, 999_999), 404);
    expectError(await ask({ item_id: itemId, image: 'other.png' }), 422, 'image');
    expectError(await ask({}), 422, 'item_id');
    const bytes = Buffer.from('this is no image');
    const text = await sendForm(service, '/api/v1/targets/1/preview', [{ field: 'image', file: { name: 'x', bytes } }]);
    expectError(text, 422);
  });

  it('aligns to a reference that the target keeps, even when its item is deleted', async () => {
    const uploaded = await service.upload([{ name: 'reference.png', bytes: await stripes(1) }], { training: 'false' });
    const [reference] = dataOf<{ item_ids: string[] }>(uploaded).item_ids;
    const align = { name: 'align', config: JSON.stringify({ reference }) };
    const { target_id: id } = dataOf<Target>(await create({ name: 'aligned', preprocessing: [align] }));
    await service.call('DELETE', '/api/v1/items/', { body: { item_ids: [reference] } });
    const shown = await service.call('POST', `/api/v1/targets/${id}/preview`, { body: { item_id: itemId } });
    expect(await sizeOf(shown.bytes)).toEqual({ width: 96, height: 96, format: 'webp' });
    expect((await service.call('PUT', `/api/v1/targets/${id}`, { body: { name: 'renamed' } })).status).toBe(200);
    expectError(await create({ name: 'late', preprocessing: [align] }), 422, 'preprocessing.0.config.reference');
  });
});
