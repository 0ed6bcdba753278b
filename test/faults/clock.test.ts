import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backendsHere } from '../support/backends.ts';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { expectWhole, openPlant, work } from './plant.ts';

/** Loaded before the program: its clock goes by the number of hours in a file, which may change while it runs. */
const shiftedClock = (file: string): string => `
  import { readFileSync } from 'node:fs';
  const Real = Date;
  const shift = () => 3600000 * Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + shift()) : super(...given); }
    static now() { return Real.now() + shift(); }
  };`;

let folder: string;
let service: SpawnedService;
let postgres: TestPostgres | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-clock-'));
});
afterEach(async () => {
  await service.stop();
  await postgres?.stop();
  postgres = undefined;
  await rm(folder, { recursive: true, force: true });
});

const open = { sqlite: undefined, postgres: startPostgres } as const;

it.each(backendsHere)(
  'on %s, a clock that is set back six hours stops nothing and loses nothing, running and at the next start',
  async (backend) => {
    postgres = await open[backend]?.({ durable: true });
    const database: Record<string, string> = postgres ? { DATABASE_URL: await postgres.createDatabase() } : {};
    const hours = join(folder, 'hours');
    const clock = join(folder, 'clock.mjs');
    await writeFile(hours, '0');
    await writeFile(clock, shiftedClock(hours));
    const environment = { ...database, KENSA_DATA_DIR: join(folder, 'data'), NODE_OPTIONS: `--import ${clock}` };
    service = await spawnService(environment);
    const plant = await openPlant(service);
    await work(plant, service.client, 1, 1);
    await writeFile(hours, '-6');
    await work(plant, service.client, 1, 2);
    await expectWhole(plant, service);
    await service.kill();
    service = await spawnService(environment);
    const before = plant.acknowledged.size;
    await work(plant, service.client, 1, 3);
    expect(plant.acknowledged.size).toBeGreaterThan(before);
    await expectWhole(plant, service);
  },
);
