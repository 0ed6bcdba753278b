import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface Result {
  item_id: string;
  result: string;
  serial: string | null;
  anomaly_score: number | null;
}

let root: string;
let service: TestService;
let modelId: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kensa-sidecar-'));
  service = await startTestService({ KENSA_FOLDER_ROOTS: root });
  ({ modelId } = await trainSmallModel(service));
}, 300_000);
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

let count = 0;
async function newStation(after: 'keep' | 'move' | 'delete') {
  const path = join(root, `station-${++count}`);
  await mkdir(path);
  const body = {
    name: `sidecar ${count}`,
    model_id: modelId,
    name_pattern: '(?:(?<lot>L\\d)/)?(?:(?<side>top|low)_)?(?<serial>\\d{4})',
    source: { kind: 'folder', path, after },
    outputs: [{ kind: 'sidecar' }],
  };
  const { station_id: id } = dataOf<{ station_id: string }>(await service.call('POST', '/api/v1/stations/', { body }));
  return { id, path };
}

/** As a camera does it: whole at once. */
async function put(folder: string, name: string, phase = 1): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, `.${phase}.tmp`), await stripes(phase));
  await rename(join(folder, `.${phase}.tmp`), join(folder, name));
}

const read = async (...path: string[]): Promise<Result | undefined> =>
  readFile(join(...path), 'utf8').then(
    (text) => JSON.parse(text) as Result,
    () => undefined,
  );
const written = (...path: string[]) =>
  eventually(
    () => read(...path),
    (result) => result !== undefined,
    20_000,
  );
const faultOf = async (id: string): Promise<string | undefined> =>
  dataOf<{ state: { fault: { status_text: string } | null } }>(await service.call('GET', `/api/v1/stations/${id}`))
    .state.fault?.status_text;

describe('the result of a file', () => {
  it('is written beside it, with what the product is', async () => {
    const { id, path } = await newStation('keep');
    await put(path, 'L7/top_0042.png');
    const result = await written(path, 'L7', 'top_0042.png.json');
    expect(result).toMatchObject({ result: expect.stringMatching(/^(OK|NG)$/), reason: null });
    expect(result).toMatchObject({ serial: '0042', lot: 'L7', fields: { side: 'top' } });
    const item = await service.db
      .selectFrom('items')
      .selectAll()
      .where('station_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(result?.item_id).toBe(item.item_id);
    expect((await readdir(join(path, 'L7'))).sort()).toEqual(['top_0042.png', 'top_0042.png.json']);
  });

  it('is written where a file was moved to, also where its name was taken', async () => {
    const { path } = await newStation('move');
    await put(path, 'a/0001.png', 1);
    const first = await written(path, 'done', 'a', '0001.png.json');
    await put(path, 'a/0001.png', 2);
    const second = await written(path, 'done', 'a', '0001 (2).png.json');
    expect(second?.item_id).not.toBe(first?.item_id);
    expect((await read(path, 'done', 'a', '0001.png.json'))?.item_id).toBe(first?.item_id);
    expect(await readdir(join(path, 'a'))).toEqual([]);
  });

  it('is written where a file was that is deleted', async () => {
    const { path } = await newStation('delete');
    await put(path, 'b/0002.png');
    await written(path, 'b', '0002.png.json');
    expect(await readdir(join(path, 'b'))).toEqual(['0002.png.json']);
  });

  it('waits while it cannot be written, with all later ones of the station', async () => {
    const { id, path } = await newStation('keep');
    await put(path, '0003.png', 3);
    await written(path, '0003.png.json');
    // A folder in the place of the file keeps results out.
    await rm(join(path, '0003.png.json'));
    await mkdir(join(path, '0004.png.json'));
    await put(path, '0004.png', 4);
    await put(path, '0005.png', 5);
    await eventually(
      () => faultOf(id),
      (fault) => /0004\.png\.json" cannot be written/.test(fault ?? ''),
      20_000,
    );
    // In the order of the verdicts.
    expect(await read(path, '0005.png.json')).toBeUndefined();
    await rm(join(path, '0004.png.json'), { recursive: true });
    await written(path, '0005.png.json');
    await written(path, '0004.png.json');
    await eventually(
      () => faultOf(id),
      (fault) => fault === undefined,
      20_000,
    );
  });

  it('waits while the folder is gone, which the station says, and other stations go on', async () => {
    const { id, path } = await newStation('keep');
    const other = await newStation('keep');
    // The folder goes away between the image and its result.
    await service.call('PUT', `/api/v1/stations/${id}/model`, { body: { model_id: null } });
    await put(path, '0006.png', 6);
    await pause(500);
    await rename(path, `${path}-away`);
    const [{ item_id } = { item_id: '' }] = dataOf<{ items: { item_id: string }[] }>(
      await service.call('GET', '/api/v1/items/?item_type=prediction&count=1'),
    ).items;
    const item = await service.db
      .selectFrom('items')
      .selectAll()
      .where('item_id', '=', item_id)
      .executeTakeFirstOrThrow();
    const snapshot = JSON.stringify({ item, images: [], assessments: [] });
    await service.db.updateTable('items').set({ source_path: '0009.png' }).where('item_id', '=', item_id).execute();
    const created_at = new Date().toISOString();
    const row = { model_id: '', station_id: id, output: 'sidecar', item_id, status: 'pending' as const, attempts: 0 };
    await service.db
      .insertInto('deliveries')
      .values({ ...row, delivery_id: `${created_at}-waits`, snapshot, created_at })
      .execute();
    await eventually(
      () => faultOf(id),
      (fault) => fault !== undefined,
      20_000,
    );
    await put(other.path, '0007.png', 7);
    await written(other.path, '0007.png.json');
    await rename(`${path}-away`, path);
    await written(path, '0009.png.json');
  });
});

it('needs a folder', async () => {
  const body = { name: 'no folder', outputs: [{ kind: 'sidecar' }] };
  expectError(await service.call('POST', '/api/v1/stations/', { body }), 422, 'outputs.0.kind');
  const { id } = await newStation('keep');
  const changed = await service.call('PUT', `/api/v1/stations/${id}`, { body: { source: { kind: 'http' } } });
  expectError(changed, 422, 'outputs.0.kind');
});
