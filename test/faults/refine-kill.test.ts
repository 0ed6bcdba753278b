import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChildren, type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { openPlant, type Plant } from './plant.ts';

interface ModelBody {
  readonly model_id: string;
  readonly status: string;
  readonly status_text: string;
  readonly active: boolean;
}

let dataDir: string;
let service: SpawnedService;
let plant: Plant;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kensa-refine-kill-'));
  service = await spawnService({ KENSA_DATA_DIR: dataDir });
  plant = await openPlant(service);
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const listModels = (): Promise<ModelBody[]> => service.client.request('GET', '/api/v1/models/');

it.each(['server', 'training'] as const)(
  'leaves no half-made model over kill -9 of the %s while it refines',
  async (target) => {
    const [parent] = (await listModels()).filter((model) => model.active);
    if (!parent) throw new Error('no model is active');
    // At this threshold everything is missed, so there is a missed defect to correct.
    const path = `/api/v1/models/${parent.model_id}`;
    await service.client.request('POST', `${path}/update_predict_parameters`, { threshold: 0.98 });
    const [missed = ''] = [...plant.acknowledged].filter(([, name]) => !name.includes('good')).map(([id]) => id);
    await service.client.request('PATCH', `/api/v1/items/${missed}`, { good: false });
    const body = { activate: true, item_ids: [missed], name: `killed ${target}` };
    const { model_id: childId } = await service.client.request<ModelBody>('POST', `${path}/refine`, body);
    const child = async (): Promise<ModelBody> => service.client.request('GET', `/api/v1/models/${childId}`);
    for (let i = 0; i < 200 && (await child()).status === 'queued'; i++) await pause(20);
    if (target === 'training')
      for (const pid of findChildren(service.process.pid ?? 0, 'training')) process.kill(pid, 'SIGKILL');
    else {
      await service.kill();
      service = await spawnService({ KENSA_DATA_DIR: dataDir });
      // What can be asked is either the model as it was, or the whole new one.
      const active = (await listModels()).filter((model) => model.active);
      expect(active).toHaveLength(1);
      expect(active[0]?.status).toBe('ready');
    }
    const made = await service.client.waitForModel(childId);
    expect(made).toMatchObject({ status: 'ready', active: true });
    await service.client.request('POST', `/api/v1/models/${childId}/predict`, { item_ids: [missed] });
    await service.client.waitForItems([missed]);
    const item = await service.client.request<{ assessments: { model_id: string; result: string }[] }>(
      'GET',
      `/api/v1/items/${missed}`,
    );
    expect(item.assessments.find((one) => one.model_id === childId)?.result).toBe('NG');
    await service.client.request('POST', `${path}/activate`);
  },
);
