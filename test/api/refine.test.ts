import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../support/demo-images.ts';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually } from '../support/trained-model.ts';

interface ModelBody {
  model_id: string;
  name: string;
  version: string;
  status: string;
  status_text: string;
  active: boolean;
  parent_id: string | null;
  taught_item_ids: string[];
  ng_img_count: number;
  predict_parameters: { threshold: number };
}
interface ItemBody {
  status: string;
  assessments: { model_id: string; result: string; anomaly_score: string }[];
}

const unknown = '01930000-0000-7000-8000-000000000000';

/** Train, miss a defect, correct it, and undo. */
describe('refining a model', () => {
  let service: TestService;
  let parent: ModelBody;
  let missed: string;
  let good: string[];

  const model = async (id: string): Promise<ModelBody> => dataOf(await service.call('GET', `/api/v1/models/${id}`));
  const finished = (id: string): Promise<ModelBody> =>
    eventually(
      () => model(id),
      ({ status }) => status !== 'queued' && status !== 'training',
      240_000,
    );
  const train = async (name: string): Promise<ModelBody> => {
    const override_params = [
      { algorithm_parameter_id: 102, value: '128' },
      { algorithm_parameter_id: 103, value: '200' },
    ];
    const order = { body: { name, override_params } };
    const queued = await service.call('POST', '/api/v1/algorithms/patchcore/train', order);
    const trained = await finished(dataOf<ModelBody>(queued).model_id);
    expect(trained.status).toBe('ready');
    return trained;
  };
  const refine = (id: string, body: object) => service.call('POST', `/api/v1/models/${id}/refine`, { body });
  const verdicts = async (modelId: string, itemIds: readonly string[]): Promise<string[]> => {
    const asked = await service.call('POST', `/api/v1/models/${modelId}/predict`, { body: { item_ids: itemIds } });
    expect(asked.status).toBeLessThan(300);
    return Promise.all(
      itemIds.map(async (id) => {
        const read = async (): Promise<ItemBody> => dataOf(await service.call('GET', `/api/v1/items/${id}`));
        const item = await eventually(read, ({ status }) => status === 'done' || status === 'failed');
        return item.assessments.find((one) => one.model_id === modelId)?.result ?? 'none';
      }),
    );
  };
  const score = async (id: string): Promise<number> => {
    const item = dataOf<ItemBody>(await service.call('GET', `/api/v1/items/${id}`));
    return Number(item.assessments.find((one) => one.model_id === parent.model_id)?.anomaly_score);
  };

  beforeAll(async () => {
    service = await startTestService();
    const files = await demoFiles({ good: 8, testGood: 3, testDefect: 4 }, { pixels: 128 });
    const upload = async (list: typeof files.training, fields: Record<string, string>) =>
      dataOf<{ item_ids: string[] }>(await service.upload(list, fields)).item_ids;
    await upload(files.training, { training: 'true', good: 'true' });
    const ids = await upload(files.test, { training: 'false' });
    parent = await train('line 3');
    await verdicts(parent.model_id, ids);
    // A threshold just over all scores of defects: each of them is missed.
    const isGood = files.test.map(({ name }) => name.includes('good'));
    good = ids.filter((_, index) => isGood[index]);
    const defects = ids.filter((_, index) => !isGood[index]);
    const threshold = Math.min(0.98, Math.max(...(await Promise.all(ids.map(score)))) + 0.01);
    const change = { body: { threshold } };
    await service.call('POST', `/api/v1/models/${parent.model_id}/update_predict_parameters`, change);
    expect(new Set(await verdicts(parent.model_id, ids))).toEqual(new Set(['OK']));
    [missed = ''] = defects;
  });
  afterAll(() => service.stop());

  it('refuses in words what cannot be refined', async () => {
    expectError(await refine(unknown, {}), 404);
    expect(expectError(await refine(parent.model_id, {}), 422, 'item_ids').detail).toContain('nobody has judged');
    expectError(await refine(parent.model_id, { item_ids: [unknown] }), 404, unknown);
    const unjudged = expectError(await refine(parent.model_id, { item_ids: [missed] }), 422, 'item_ids');
    expect(unjudged.detail).toContain('neither good nor NG');
    expectError(await refine(parent.model_id, { item_ids: [] }), 422, 'item_ids');
    expectError(await refine(parent.model_id, { items: [missed] }), 422, 'items');
    const queued = await service.call('POST', '/api/v1/algorithms/padim/train', { body: {} });
    const { model_id: id } = dataOf<ModelBody>(queued);
    expect(expectError(await refine(id, {}), 409).detail).toContain('only a ready model');
    await service.call('POST', `/api/v1/models/${id}/cancel`);
    await eventually(
      () => model(id),
      ({ status }) => status === 'cancelled',
    );
    const row = { status: 'ready', algorithm_id: 'retired' } as const;
    await service.db.updateTable('models').set(row).where('model_id', '=', id).execute();
    expect(expectError(await refine(id, {}), 422).detail).toContain('use one of: patchcore, padim');
    await service.call('DELETE', `/api/v1/models/?model_ids=${id}`);
  });

  it('counts a judgement that is older than the model, and one that the threshold of today contradicts', async () => {
    const old = '2020-01-01T00:00:00.000Z';
    const region = { x_min: 8, y_min: 8, x_max: 120, y_max: 120 };
    await service.call('PATCH', `/api/v1/items/${missed}`, { body: { annotations: [region] } });
    await service.db.updateTable('items').set({ user_assessed_at: old }).where('item_id', '=', missed).execute();
    const corrected = async () => {
      const queued = dataOf<ModelBody>(await refine(parent.model_id, {}));
      await service.call('POST', `/api/v1/models/${queued.model_id}/cancel`);
      await service.call('DELETE', `/api/v1/models/?model_ids=${queued.model_id}`);
      return queued.taught_item_ids;
    };
    expect(await corrected()).toEqual([missed]);
    const [clean = ''] = good;
    await service.call('PATCH', `/api/v1/items/${clean}`, { body: { good: true } });
    const path = `/api/v1/models/${parent.model_id}/update_predict_parameters`;
    const { threshold } = (await model(parent.model_id)).predict_parameters;
    await service.call('POST', path, { body: { threshold: 0.01 } });
    expect(await corrected()).toEqual([clean]);
    await service.call('POST', path, { body: { threshold } });
    const back = [{ item_id: clean, good: null, annotations: [] }];
    await service.call('PUT', '/api/v1/items/verdicts', { body: { verdicts: back } });
  });

  it('is a proposal at first, which inspects the judged items', async () => {
    const queued = dataOf<ModelBody>(await refine('active', {}));
    const proposal = await finished(queued.model_id);
    expect(proposal).toMatchObject({ status: 'ready', active: false });
    expect((await model(parent.model_id)).active).toBe(true);
    const read = async () => dataOf<ItemBody>(await service.call('GET', `/api/v1/items/${missed}`));
    const verdictOf = ({ assessments }: ItemBody) =>
      assessments.find((one) => one.model_id === proposal.model_id)?.result;
    expect(verdictOf(await eventually(read, (item) => verdictOf(item) !== undefined))).toBe('NG');
    await service.call('DELETE', `/api/v1/models/?model_ids=${proposal.model_id}`);
  });

  it('finds what a person annotated, takes the place of the model, and is undone by activating that', async () => {
    const queued = dataOf<ModelBody>(await refine('active', { activate: true }));
    expect(queued).toMatchObject({ name: 'line 3', version: '5', parent_id: parent.model_id, active: false });
    expect(queued.taught_item_ids).toEqual([missed]);
    const child = await finished(queued.model_id);
    expect(child.status_text).toMatch(/Corrected 1 missed defect; no new error on \d+ known images/);
    expect(child).toMatchObject({ status: 'ready', active: true, ng_img_count: 1 });
    expect(child.predict_parameters).toEqual((await model(parent.model_id)).predict_parameters);
    expect(await verdicts(child.model_id, [missed])).toEqual(['NG']);
    expect(await verdicts(child.model_id, good)).toEqual(good.map(() => 'OK'));
    const activated = await service.call('POST', `/api/v1/models/${parent.model_id}/activate`);
    expect(dataOf<ModelBody>(activated).active).toBe(true);
    expect((await model(child.model_id)).active).toBe(false);
    expect(await verdicts('active', [missed])).toEqual(['none']);
    expect(await verdicts(parent.model_id, [missed])).toEqual(['OK']);
  });

  it('says in words what cannot be met, and changes nothing', async () => {
    const [clean = ''] = good;
    await service.call('PATCH', `/api/v1/items/${clean}`, { body: { good: true } });
    const queued = dataOf<ModelBody>(await refine(parent.model_id, { item_ids: [clean], name: 'in vain' }));
    const failed = await finished(queued.model_id);
    expect(failed).toMatchObject({ name: 'in vain', status: 'failed', active: false });
    expect(failed.status_text).toContain('nothing to learn');
    expect((await model(parent.model_id)).active).toBe(true);
  });

  it('has a model that was trained later inspect the judged items, and says which it has not', async () => {
    const younger = await train('younger');
    const byYounger = ({ assessments }: ItemBody) => assessments.find((one) => one.model_id === younger.model_id);
    // The test before this one judged the first good item.
    for (const judged of [missed, good[0]]) {
      const read = async () => dataOf<ItemBody>(await service.call('GET', `/api/v1/items/${judged}`));
      await eventually(read, (one) => byYounger(one) !== undefined);
    }
    const queued = dataOf<ModelBody>(await refine(younger.model_id, {}));
    expect(queued.taught_item_ids).toEqual([missed]);
    await service.call('POST', `/api/v1/models/${queued.model_id}/cancel`);
    const [, clean = ''] = good;
    const verdicts = [
      { item_id: missed, good: null, annotations: [] },
      { item_id: clean, good: true, annotations: [] },
    ];
    await service.call('PUT', '/api/v1/items/verdicts', { body: { verdicts } });
    const { detail } = expectError(await refine(younger.model_id, {}), 422, 'item_ids');
    expect(detail).toContain('has not inspected 1 of the items that people judged');
  });
});
