import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runKensa, type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { expectWhole, openPlant, type Plant, work } from './plant.ts';

let folder: string;
const running: SpawnedService[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-backup-'));
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
  await rm(folder, { recursive: true, force: true });
});

it('a backup made under load holds all that was acknowledged before it, and can be served as it is', async () => {
  const dataDir = join(folder, 'data');
  const copy = join(folder, 'copy');
  const service = await spawnService({ KENSA_DATA_DIR: dataDir });
  running.push(service);
  const plant = await openPlant(service);
  await work(plant, service.client, 2, 1);
  const before: Plant = { ...plant, acknowledged: new Map(plant.acknowledged), judged: new Map(plant.judged) };
  const load = work(plant, service.client, 15, 2);
  await pause(300);
  const { code, output } = await runKensa(['backup', copy], { KENSA_DATA_DIR: dataDir });
  expect(code, output).toBe(0);
  await load;
  await expectWhole(plant, service);
  expect((await runKensa(['doctor'], { KENSA_DATA_DIR: copy })).output).toMatch(/none missing or damaged/);
  const restored = await spawnService({ KENSA_DATA_DIR: copy });
  running.push(restored);
  await expectWhole(before, restored);
});
