import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { eventually, stripes } from '../support/trained-model.ts';
import { trainStripes } from './plant.ts';

interface ListedItem {
  name: string;
  images: { file_size: number }[];
}

let folder: string;
let service: SpawnedService;
let model_id: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kensa-load-'));
  await mkdir(join(folder, 'watched'));
  service = await spawnService({
    KENSA_DATA_DIR: join(folder, 'data'),
    KENSA_FOLDER_ROOTS: folder,
    KENSA_QUEUE_LIMIT: '100',
  });
  model_id = await trainStripes(service.client);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const make = (name: string, path: string, after: string) =>
  service.client.request<{ station_id: string }>('POST', '/api/v1/stations/', {
    name,
    model_id,
    source: { kind: 'folder', path, after },
    outputs: [{ kind: 'sidecar' }],
  });
const faultOf = async (id: string): Promise<string | undefined> =>
  (
    await service.client.request<{ state: { fault: { status_messages: { code: string }[] } | null } }>(
      'GET',
      `/api/v1/stations/${id}`,
    )
  ).state.fault?.status_messages[0]?.code;

it('a thousand files at once are inspected once each, and each has its result', async () => {
  const path = join(folder, 'watched');
  const images = await Promise.all(Array.from({ length: 8 }, (_, phase) => stripes(phase)));
  await mkdir(join(folder, 'prepared'));
  const names = Array.from({ length: 1000 }, (_, number) => `${number}.png`);
  for (const [number, name] of names.entries())
    await writeFile(
      join(folder, 'prepared', name),
      Buffer.concat([images[number % 8] ?? Buffer.alloc(0), Buffer.from(name)]),
    );
  const { station_id: id } = await make('thousand', path, 'delete');
  for (const name of names) await rename(join(folder, 'prepared', name), join(path, name));
  const results = await eventually(
    async () => (await readdir(path)).filter((name) => name.endsWith('.json')),
    ({ length }) => length === names.length,
    280_000,
  );
  expect(new Set(results)).toEqual(new Set(names.map((name) => `${name}.json`)));
  const ids = new Set<string>();
  for (const name of results) {
    const { item_id, result } = JSON.parse(await readFile(join(path, name), 'utf8')) as Record<string, string>;
    ids.add(item_id ?? '');
    expect(result).toMatch(/^(OK|NG)$/);
  }
  expect(ids.size).toBe(names.length);
  const list = `/api/v1/items/?item_type=prediction&station_id=${id}`;
  expect(await service.client.request('GET', list)).toMatchObject({ total: names.length });
}, 300_000);

it('files that grow for a minute are inspected once, when they are whole, and hold no other file up', async () => {
  const path = join(folder, 'growing');
  await mkdir(path);
  const { station_id: id } = await make('growing', path, 'delete');
  const large = sharp(await stripes(1)).resize(1200, 1200);
  const whole = { 'slow.png': await large.clone().png().toBuffer(), 'slow.jpg': await large.jpeg().toBuffer() };
  const listed = () =>
    service.client.request<{ items: ListedItem[] }>('GET', `/api/v1/items/?item_type=prediction&station_id=${id}`);
  const names = async (): Promise<string[]> => (await listed()).items.map(({ name }) => name);
  const parts = 60;
  for (let part = 0; part < parts; part++) {
    for (const [name, bytes] of Object.entries(whole)) {
      const share = (count: number): number => Math.round((bytes.length * count) / parts);
      await appendFile(join(path, name), bytes.subarray(share(part), share(part + 1)));
    }
    if (part % 20 === 10) {
      await writeFile(join(path, `quick ${part}.png`), await stripes(part));
      await eventually(names, (found) => found.includes(`quick ${part}`), 10_000);
    }
    if (part < parts - 1) expect((await names()).filter((name) => name === 'slow')).toEqual([]);
    await pause(1000);
  }
  await eventually(
    () => readdir(path),
    (left) => left.filter((name) => !name.endsWith('.json')).length === 0,
  );
  const { items } = await listed();
  const slow = items.filter(({ name }) => name === 'slow').map(({ images }) => images[0]?.file_size ?? 0);
  expect(slow.toSorted((one, other) => one - other)).toEqual(
    Object.values(whole)
      .map(({ length }) => length)
      .toSorted((one, other) => one - other),
  );
  expect(items).toHaveLength(5);
}, 180_000);

it.skipIf(process.getuid?.() !== 0)('a full drive keeps results waiting, which the station says', async () => {
  const path = join(folder, 'drive');
  await mkdir(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
  try {
    const { station_id: id } = await make('drive', path, 'keep');
    await writeFile(join(path, '.a'), await stripes(1));
    await writeFile(join(path, 'filler'), Buffer.alloc(4 * 1024 * 1024)).catch(() => undefined);
    await rename(join(path, '.a'), join(path, 'a.png'));
    await eventually(
      () => faultOf(id),
      (code) => code === 'sidecar.full',
    );
    expect(await readdir(path)).not.toContain('a.png.json');
    await rm(join(path, 'filler'));
    await eventually(
      () => readdir(path),
      (names) => names.includes('a.png.json'),
    );
    expect(JSON.parse(await readFile(join(path, 'a.png.json'), 'utf8'))).toMatchObject({ name: 'a' });
    await eventually(
      () => faultOf(id),
      (code) => code === undefined,
    );
  } finally {
    await service.client.request('DELETE', `/api/v1/stations/${await idOf('drive')}`);
    execFileSync('umount', ['-l', path]);
  }
});

const idOf = async (name: string): Promise<string> => {
  const list = await service.client.request<{ station_id: string; name: string }[]>('GET', '/api/v1/stations/');
  return list.find((station) => station.name === name)?.station_id ?? '';
};
