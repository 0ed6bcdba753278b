import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes } from '../support/trained-model.ts';

interface ItemPage {
  readonly items: { item_id: string; target_id: number }[];
  readonly total: number;
}

interface Model {
  readonly model_id: string;
  readonly status: string;
  readonly active: boolean;
  readonly context_id: number;
}

describe('products', () => {
  let service: TestService;
  /** The default target, and another one. */
  let caps: number;
  let lids: number;

  beforeAll(async () => {
    service = await startTestService();
    const targets = dataOf<{ target_id: number }[]>(await service.call('GET', '/api/v1/targets/'));
    caps = targets[0]?.target_id ?? 0;
    const made = await service.call('POST', '/api/v1/targets/', { body: { name: 'lids' } });
    lids = dataOf<{ target_id: number }>(made).target_id;
  });
  afterAll(() => service.stop());

  const upload = async (phases: number[], fields: Record<string, string>) => {
    const files = await Promise.all(
      phases.map(async (phase) => ({ name: `${phase}.png`, bytes: await stripes(phase) })),
    );
    return service.upload(files, fields);
  };
  const add = async (phases: number[], fields: Record<string, string>) =>
    dataOf<{ item_ids: string[] }>(await upload(phases, fields)).item_ids;
  const list = async (query: string) =>
    dataOf<ItemPage>(await service.call('GET', `/api/v1/items/?item_type=training&${query}`));
  const order = (body: object) => {
    // A small input and a small memory bank.
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    return service.call('POST', '/api/v1/algorithms/patchcore/train', { body: { override_params, ...body } });
  };
  const train = async (body: object): Promise<Model> => {
    const { model_id: id } = dataOf<Model>(await order(body));
    const read = async () => dataOf<Model>(await service.call('GET', `/api/v1/models/${id}`));
    return eventually(read, ({ status }) => status === 'ready', 240_000);
  };

  it('keep their items, trainings and active models apart', async () => {
    const ofCaps = await add([0, 1, 2], { training: 'true', good: 'true' });
    const ofLids = await add([20, 21, 22, 23], { training: 'true', good: 'true', target_id: String(lids) });
    const found = await list(`target_id=${lids}`);
    expect(found.items.map((item) => item.item_id).sort()).toEqual([...ofLids].sort());
    expect(found.items.every((item) => item.target_id === lids)).toBe(true);
    expect((await list(`target_id=${caps}&user_result=OK&count=2&page=2`)).total).toBe(3);
    expect((await list(`target_id=${caps}&name=20`)).total).toBe(0);
    expect((await list('count=2')).total).toBe(7);

    const ready = await service.call('POST', '/api/v1/algorithms/patchcore/readiness', { body: { target_id: lids } });
    expect(dataOf(ready)).toMatchObject({ good: 4 });
    for (const asked of [{}, { target_id: caps }]) {
      const mixed = expectError(await order({ ...asked, item_ids: [...ofCaps, ...ofLids] }), 422, 'item_ids');
      expect(mixed.detail).toContain('mix_targets');
    }
    expectError(await order({ target_id: caps, item_ids: ofLids }), 422, 'item_ids');
    expectError(await order({ target_id: 999 }), 422, 'target_id');

    const first = await train({ name: 'caps' });
    const second = await train({ name: 'lids', target_id: lids });
    // Each is the only one of its product.
    expect(first).toMatchObject({ active: true, context_id: caps });
    expect(second).toMatchObject({ active: true, context_id: lids });
    const learned = await service.call('GET', `/api/v1/items/?item_type=training&model_id=${second.model_id}`);
    expect(dataOf<ItemPage>(learned).total).toBe(4);

    const activeFor = async (query: string) => {
      const overview = await service.call('GET', `/api/v1/overview${query}`);
      return dataOf<{ active_model: Model; training: { good: number } }>(overview);
    };
    expect(await activeFor('')).toMatchObject({ active_model: { model_id: first.model_id }, training: { good: 7 } });
    expect(await activeFor(`?target_id=${lids}`)).toMatchObject({
      active_model: { model_id: second.model_id },
      training: { good: 4 },
    });

    for (const { model_id } of [first, second])
      await service.call('POST', `/api/v1/models/${model_id}/update_predict_parameters`, {
        body: { threshold: 0.001 },
      });
    const [inspected] = await add([24], { training: 'false', model_id: 'active', target_id: String(lids) });
    const assessedBy = async (itemId: string | undefined) => {
      const read = async () =>
        dataOf<{ assessments: { model_id: string }[] }>(await service.call('GET', `/api/v1/items/${itemId}`));
      return (await eventually(read, ({ assessments }) => assessments.length > 0)).assessments[0]?.model_id;
    };
    expect(await assessedBy(inspected)).toBe(second.model_id);
    const [other] = await add([3], { training: 'false', model_id: 'active' });
    expect(await assessedBy(other)).toBe(first.model_id);

    // What waits for a person is told for each product, by its own model.
    const toReview = async (query: string) => {
      const { inspected: counts, to_review: products } = dataOf<{ inspected: object; to_review: object[] }>(
        await service.call('GET', `/api/v1/overview${query}`),
      );
      return { counts, products };
    };
    const ofFirst = { target_id: caps, model_id: first.model_id, ng_unjudged: 1, disagreements: 0 };
    const ofSecond = { target_id: lids, model_id: second.model_id, ng_unjudged: 1, disagreements: 0 };
    expect(await toReview('')).toMatchObject({ counts: { ng_unjudged: 2 }, products: [ofFirst, ofSecond] });
    expect(await toReview(`?target_id=${lids}`)).toMatchObject({ counts: { ng_unjudged: 1 }, products: [ofSecond] });

    // What failed is told for its product.
    const setStatus = (status: 'failed' | 'done') =>
      service.db
        .updateTable('items')
        .set({ status })
        .where('item_id', '=', inspected ?? '')
        .execute();
    const failedOf = async (query: string) =>
      dataOf<{ inspected: { failed: number } }>(await service.call('GET', `/api/v1/overview${query}`)).inspected.failed;
    await setStatus('failed');
    expect([await failedOf(''), await failedOf(`?target_id=${lids}`), await failedOf(`?target_id=${caps}`)]).toEqual([
      1, 1, 0,
    ]);
    await setStatus('done');

    // A new model takes the place of that of its product alone.
    const third = await train({ name: 'lids again', target_id: lids });
    expect(third.active).toBe(false);
    await service.call('POST', `/api/v1/models/${third.model_id}/activate`);
    const models = dataOf<Model[]>(await service.call('GET', '/api/v1/models/'));
    const active = models.filter((model) => model.active).map((model) => model.model_id);
    expect(active.sort()).toEqual([first.model_id, third.model_id].sort());

    // A model says what it learned from, and what another one did not.
    const learnedBy = async (model: Model, query = '') =>
      dataOf<{ items: { item_id: string; thumbnail_url: string | null }[]; total: number }>(
        await service.call('GET', `/api/v1/models/${model.model_id}/training-items${query}`),
      );
    const few = await train({ name: 'two lids', target_id: lids, item_ids: ofLids.slice(0, 2) });
    expect((await learnedBy(third)).items.map(({ item_id }) => item_id)).toEqual([...ofLids].reverse());
    const rest = await learnedBy(third, `?without_model_id=${few.model_id}&count=1`);
    expect(rest).toMatchObject({ total: 2, items: [{ item_id: ofLids[3] }] });
    expect((await service.call('GET', rest.items[0]?.thumbnail_url ?? '', { token: null })).status).toBe(200);
    expect(await learnedBy(few, `?without_model_id=${third.model_id}`)).toEqual({ items: [], total: 0 });
    expectError(await service.call('GET', '/api/v1/models/none/training-items'), 404);
    expectError(await service.call('GET', `/api/v1/models/${few.model_id}/training-items?without_model_id=none`), 404);
    expectError(await service.call('GET', `/api/v1/models/${few.model_id}/training-items?count=0`), 422, 'count');

    const mixed = await order({ item_ids: [...ofCaps, ...ofLids], mix_targets: true });
    expect(mixed.status).toBe(200);
    expect((await service.call('DELETE', `/api/v1/targets/${lids}`)).status).toBe(422);
  });

  it('refuse an upload for a product that is not there', async () => {
    for (const target_id of ['999', 'x', '0'])
      expectError(await upload([0], { training: 'false', target_id }), 422, 'target_id');
  });
});
