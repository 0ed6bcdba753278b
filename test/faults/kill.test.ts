import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/vision/math/random.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { expectWhole, openPlant, type Plant, startTraining, work } from './plant.ts';

const moments = Number(process.env['KENSA_FAULT_MOMENTS'] ?? 6);
const seed = Number(process.env['KENSA_FAULT_SEED'] ?? 1);

describe(`kill -9 at ${moments} random moments under load (seed ${seed})`, () => {
  let dataDir: string;
  let service: SpawnedService;
  let plant: Plant;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kensa-kill-'));
    service = await spawnService({ KENSA_DATA_DIR: dataDir });
    plant = await openPlant(service);
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const random = createRandom(seed);
  const targets = ['server', 'worker', 'training'] as const;
  const draws = Array.from({ length: moments }, (_, index) => ({
    index,
    target: targets[index % targets.length] ?? 'server',
    afterMs: Math.floor(50 + 2450 * random.next()),
  }));

  it.each(draws)('$index: the $target after $afterMs ms', async ({ target, afterMs, index }) => {
    const training = target === 'training' ? await startTraining(service.client) : undefined;
    const load = work(plant, service.client, afterMs / 1000 + 1, index * 7);
    await pause(afterMs);
    if (target === 'server') {
      await service.kill();
      await load;
      service = await spawnService({ KENSA_DATA_DIR: dataDir });
    } else {
      for (const pid of service.findChildren(target)) process.kill(pid, 'SIGKILL');
      await load;
    }
    if (training) {
      const model = await service.client.waitForModel(training.model_id);
      expect(model.status).toBe('ready');
      await service.client.request('DELETE', `/api/v1/models/?model_ids=${training.model_id}`);
    }
    await expectWhole(plant, service);
  });
});
