import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/vision/math/random.ts';
import { backendsHere } from '../support/backends.ts';
import { expectWhole, openPlant, type Plant, startTraining, work } from './plant.ts';
import { openRig, type Rig, type Victim } from './rig.ts';

const moments = Number(process.env['KENSA_FAULT_MOMENTS'] ?? 6);
const seed = Number(process.env['KENSA_FAULT_SEED'] ?? 1);

const victims = {
  sqlite: ['server', 'worker', 'training'],
  postgres: ['server', 'worker', 'training', 'host'],
} as const;

describe.each(backendsHere)(`on %s, kill -9 at ${moments} random moments under load (seed ${seed})`, (backend) => {
  let rig: Rig;
  let plant: Plant;

  beforeAll(async () => {
    rig = await openRig(backend);
    plant = await openPlant(rig.service);
  });
  afterAll(() => rig.stop());

  const random = createRandom(seed);
  const draws = Array.from({ length: moments }, (_, index) => ({
    index,
    victim: victims[backend][index % victims[backend].length] as Victim,
    afterMs: Math.floor(50 + 2450 * random.next()),
  }));

  it.each(draws)('$index: the $victim after $afterMs ms', async ({ victim, afterMs, index }) => {
    const training = victim === 'training' ? await startTraining(rig.service.client) : undefined;
    const load = work(plant, rig.service.client, afterMs / 1000 + 1, index * 7);
    await pause(afterMs);
    await rig.kill(victim);
    await load;
    await rig.restore();
    const { service } = rig;
    if (training) {
      const model = await service.client.waitForModel(training.model_id);
      expect(model.status).toBe('ready');
      await service.client.request('DELETE', `/api/v1/models/?model_ids=${training.model_id}`);
    }
    await expectWhole(plant, service);
  });
});
