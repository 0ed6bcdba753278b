import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AssessedItem, createKensaClient, type KensaClient, KensaError } from '../../src/client/kensa-client.ts';
import { loadConfig } from '../../src/config.ts';
import { type RunningService, startService } from '../../src/main.ts';
import { type CallbackReceiver, startCallbackReceiver, verifySignature } from '../support/callback-receiver.ts';
import { type DemoFile, demoFiles } from '../support/demo-images.ts';

const credentials = { clientId: 'line-7', clientSecret: 'secret of line 7' };
const folders: string[] = [];
const services: RunningService[] = [];
let receiver: CallbackReceiver;
let training: DemoFile[];
let test: DemoFile[];

async function startMachine(): Promise<KensaClient> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-life-'));
  folders.push(dataDir);
  const config = loadConfig({
    PORT: '0',
    KENSA_DATA_DIR: dataDir,
    KENSA_LOG_LEVEL: 'silent',
    KENSA_WORKERS: '1',
    KENSA_CLIENT_ID: credentials.clientId,
    KENSA_CLIENT_SECRET: credentials.clientSecret,
  });
  const service = await startService(config);
  services.push(service);
  return createKensaClient({ baseUrl: service.url, ...credentials });
}

const verdicts = (items: readonly AssessedItem[], modelId: string) =>
  items.map((item) => {
    const assessment = item.assessments.find((one) => one.model_id === modelId);
    return { name: item.name, result: assessment?.result, score: assessment?.anomaly_score };
  });

beforeAll(async () => {
  receiver = await startCallbackReceiver();
  ({ training, test } = await demoFiles({ good: 20, testGood: 2, testDefect: 2 }));
});
afterAll(async () => {
  for (const service of services) await service.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  await receiver.close();
});

it('walks through the life of a product, from its target to the same verdicts on another machine', async () => {
  const line = await startMachine();

  const steps = [
    { name: 'crop', config: '{"x":1,"y":1,"width":98,"height":98}' },
    { name: 'denoise', active: false },
  ];
  const { data: target } = await line.api.POST('/api/v1/targets/', { body: { name: 'fabric', preprocessing: steps } });
  const targetId = String(target?.data.target_id);
  await line.api.POST('/api/v1/targets/{target_id}', { params: { path: { target_id: targetId } } });

  const goodIds = await line.uploadItems(training, { training: 'true', good: 'true' });
  expect(goodIds).toHaveLength(training.length);

  const { data: algorithm } = await line.api.GET('/api/v1/algorithms/{algorithm_id}', {
    params: { path: { algorithm_id: 'patchcore' } },
  });
  const seed = algorithm?.data.parameters?.find((parameter) => parameter.name === 'seed');
  const { data: queued } = await line.api.POST('/api/v1/algorithms/{algorithm_id}/train', {
    params: { path: { algorithm_id: 'patchcore' } },
    body: {
      name: 'fabric model',
      item_ids: goodIds,
      override_params: [{ algorithm_parameter_id: seed?.algorithm_parameter_id ?? 0, value: '5' }],
    },
  });
  const modelId = queued?.data.model_id ?? '';
  const model = await line.waitForModel(modelId);
  expect(model).toMatchObject({ active: true, context_id: Number(targetId), ok_img_count: training.length });

  const path = { params: { path: { model_id: modelId } } };
  await line.api.POST('/api/v1/models/{model_id}/update_predict_parameters', {
    ...path,
    body: { threshold: 0.5, ignore_outer: '1%', min_detected_area: 4 },
  });
  const callback = { callback_url: receiver.url, callback_method: 'post' as const };
  const set = await line.api.POST('/api/v1/models/{model_id}/update_predict_callback', { ...path, body: callback });
  expect(set.data).toEqual({ data: callback });

  const itemIds = await line.uploadItems(test, { training: 'false' });
  expect(await line.predictItems('active', itemIds)).toEqual(itemIds);
  const items = await line.waitForItems(itemIds);
  const first = verdicts(items, modelId);
  // How well the algorithm sees is measured elsewhere; here both verdicts must occur.
  expect(new Set(first.map((verdict) => verdict.result))).toEqual(new Set(['OK', 'NG']));
  expect(first[0]?.result).toBe('OK');

  const calls = await receiver.waitForCalls(itemIds.length);
  const { data: overview } = await line.api.GET('/api/v1/models/{model_id}/callbacks', path);
  expect(calls.every((call) => verifySignature(call, overview?.data.secret ?? ''))).toBe(true);
  expect(calls.some((call) => verifySignature(call, 'whsec_AAAA'))).toBe(false);
  const told = calls.map((call) => (JSON.parse(call.body) as { items: AssessedItem[] }).items);
  expect(told.every((list) => list.length === 1 && list[0]?.status === 'done')).toBe(true);
  const toldVerdicts = verdicts(told.flat(), modelId).sort((one, other) => one.name.localeCompare(other.name));
  expect(toldVerdicts).toEqual([...first].sort((one, other) => one.name.localeCompare(other.name)));

  const [good = '', , missed = ''] = itemIds;
  await line.request('PATCH', `/api/v1/items/${good}`, { annotations: [] });
  const region = { x_min: 10, x_max: 40, y_min: 10, y_max: 30, label: 1, notes: 'seen by hand' };
  await line.request('PATCH', `/api/v1/items/${missed}`, { annotations: [region] });
  const judged = await line.request<{ user_assessment: object }>('GET', `/api/v1/items/${missed}`);
  expect(judged.user_assessment).toMatchObject({ result: 'NG', annotations: [region] });

  const { data: csv } = await line.api.POST('/api/v1/targets/model/results', {
    params: { query: { model_ids: [modelId] } },
    parseAs: 'text',
  });
  const rows = String(csv).trimEnd().split('\r\n');
  expect(rows).toHaveLength(itemIds.length + 1);
  const row = rows.find((text) => text.includes(good));
  expect(row).toContain(`,OK,good,${first[0]?.score},`);
  expect(row).toContain(',OK,true,');

  const zip = await line.exportModels([modelId]);
  const { data: deleted } = await line.api.DELETE('/api/v1/models/', { params: { query: { model_ids: [modelId] } } });
  expect(deleted).toEqual({ data: { model_ids: [modelId] } });
  await expect(line.request('GET', `/api/v1/models/${modelId}`)).rejects.toThrow(KensaError);

  const elsewhere = await startMachine();
  const [imported] = await elsewhere.importModels(zip);
  expect(imported).toMatchObject({ model_id: modelId, name: 'fabric model', status: 'ready', active: false });
  const copies = await elsewhere.uploadItems(test, { training: 'false', model_id: modelId });
  expect(verdicts(await elsewhere.waitForItems(copies), modelId)).toEqual(first);
}, 180_000);
