import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { mayMount, mountDisk, unmountDisk } from '../support/small-disk.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf, eventually, stripes, trainSmallModel } from '../support/trained-model.ts';

interface StationState {
  ready: boolean;
  fault: { status_text: string } | null;
  source: {
    ready: boolean;
    waiting: number;
    fault: { status_messages: { code: string }[] } | null;
    unreadable: { name: string; status_text: string }[];
  } | null;
}

let root: string;
let dataDir: string;
let service: TestService;
let modelId: string;
const settings = () => ({ KENSA_FOLDER_ROOTS: root, KENSA_QUEUE_LIMIT: '40' });
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kensa-roots-'));
  dataDir = await mkdtemp(join(tmpdir(), 'kensa-folder-'));
  service = await startTestService(settings(), { dataDir });
  ({ modelId } = await trainSmallModel(service));
}, 300_000);
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

let count = 0;
async function newStation(after: 'keep' | 'move' | 'delete', more: object = {}) {
  const path = join(root, `station-${++count}`);
  mkdirSync(path);
  const source = { kind: 'folder', path, after };
  const body = { name: `folder ${count}`, model_id: modelId, source, ...more };
  const { station_id: id } = dataOf<{ station_id: string }>(await service.call('POST', '/api/v1/stations/', { body }));
  return { id, path };
}

const stateOf = async (id: string): Promise<StationState> =>
  dataOf<{ state: StationState }>(await service.call('GET', `/api/v1/stations/${id}`)).state;

const itemsOf = async (id: string) =>
  service.db.selectFrom('items').selectAll().where('station_id', '=', id).orderBy('seq').execute();

const done = (id: string, length: number, ms = 60_000) =>
  eventually(
    () => itemsOf(id),
    (items) => items.length >= length && items.every(({ status }) => status === 'done'),
    ms,
  );

/** Longer than a file needs to be taken. */
const settle = () => pause(1700);

describe('a watched folder', () => {
  it('has each image stored once, with what its name says, and keeps it where it is', async () => {
    const { id, path } = await newStation('keep', { name_pattern: '(?<lot>[^/]+)/(?<serial>\\d+)' });
    await mkdir(join(path, 'L7'));
    await writeFile(join(path, 'L7', '0042.png'), await stripes(1));
    await writeFile(join(path, 'notes.txt'), 'no image');
    await writeFile(join(path, '.0043.png'), await stripes(2));
    const [item] = await done(id, 1);
    expect(item).toMatchObject({ name: '0042', lot: 'L7', serial: '0042', station_id: id });
    const now = new Date();
    await utimes(join(path, 'L7', '0042.png'), now, now);
    await settle();
    expect(await itemsOf(id)).toHaveLength(1);
    await writeFile(join(path, 'L7', '0042.png'), await stripes(3));
    expect(await done(id, 2)).toHaveLength(2);
    expect((await readdir(path)).sort()).toEqual(['.0043.png', 'L7', 'notes.txt']);
    expect(await stateOf(id)).toMatchObject({ ready: true, fault: null, source: { ready: true, waiting: 0 } });
  });

  it('moves or deletes a file after its item is stored, and takes a new one of the same name', async () => {
    for (const after of ['move', 'delete'] as const) {
      const { id, path } = await newStation(after);
      await mkdir(join(path, 'a'));
      for (let turn = 1; turn <= 2; turn++) {
        // The same bytes: a file that was taken away is forgotten.
        await writeFile(join(path, 'a', 'x.png'), await stripes(5));
        await done(id, turn);
        await eventually(
          () => readdir(join(path, 'a')),
          (names) => names.length === 0,
        );
      }
      const left = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.png')).sort();
      expect(left).toEqual(after === 'move' ? ['done/a/x (2).png', 'done/a/x.png'] : []);
      const rows = service.db.selectFrom('station_files').selectAll().where('station_id', '=', id);
      expect(
        await eventually(
          () => rows.execute(),
          ({ length }) => length === 0,
        ),
      ).toEqual([]);
    }
  });

  it('waits for a file that grows, and names one that cannot be read until it is mended', async () => {
    const { id, path } = await newStation('delete');
    const bytes = await sharp(await stripes(4))
      .resize(600, 600)
      .png()
      .toBuffer();
    const file = join(path, 'slow.png');
    const parts = 8;
    for (let part = 0; part < parts; part++) {
      await appendFile(file, bytes.subarray((bytes.length * part) / parts, (bytes.length * (part + 1)) / parts));
      await pause(400);
    }
    await writeFile(join(path, 'bad.jpg'), 'no image at all');
    const [item] = await done(id, 1);
    const [image] = await service.db
      .selectFrom('item_images')
      .selectAll()
      .where('item_id', '=', item?.item_id ?? '')
      .execute();
    expect(image).toMatchObject({ name: 'slow.png', file_size: bytes.length });
    const unreadable = (state: StationState) => state.source?.unreadable.map(({ name }) => name);
    const state = await eventually(
      () => stateOf(id),
      (one) => unreadable(one)?.length === 1,
    );
    expect(unreadable(state)).toEqual(['bad.jpg']);
    expect(state.source?.unreadable[0]?.status_text).toMatch(/\w+ \w+/);
    expect(state.ready).toBe(true);
    expect(await readFile(join(path, 'bad.jpg'), 'utf8')).toBe('no image at all');
    const metrics = (await service.call('GET', '/metrics')).bytes.toString();
    expect(metrics).toContain(`kensa_source_unreadable{station="folder ${count}",kind="folder"} 1`);
    await writeFile(join(path, 'bad.jpg'), await stripes(6));
    await done(id, 2);
    expect(unreadable(await stateOf(id))).toEqual([]);
  });

  it('takes many more files at once than the queue has places: none lost, none twice, in their order', async () => {
    const { id, path } = await newStation('delete');
    // From here on the folder is watched.
    await writeFile(join(path, 'first.png'), await stripes(1));
    await done(id, 1);
    const files = 120;
    const images = await Promise.all(Array.from({ length: 20 }, (_, index) => stripes(index)));
    for (let index = 0; index < files; index++) {
      const file = join(path, `.${index}`);
      // Images of one product differ.
      await writeFile(file, Buffer.concat([images[index % 20] ?? Buffer.alloc(0), Buffer.from(`${index}`)]));
      await rename(file, join(path, `${String(index).padStart(4, '0')}.png`));
    }
    const [, ...items] = await done(id, files + 1, 240_000);
    expect(items.map(({ name }) => name)).toEqual(Array.from({ length: files }, (_, n) => String(n).padStart(4, '0')));
    // A file goes after its item is stored.
    await vi.waitFor(async () => expect(await readdir(path)).toEqual([]), { timeout: 20_000, interval: 50 });
  }, 300_000);

  it('says that the folder is gone, goes on when it is back, and takes nothing twice over a restart', async () => {
    const { id, path } = await newStation('keep');
    await writeFile(join(path, '1.png'), await stripes(1));
    await done(id, 1);
    await rename(path, `${path}-away`);
    const gone = await eventually(
      () => stateOf(id),
      ({ source }) => source?.fault != null,
    );
    expect(gone).toMatchObject({ ready: false, fault: { status_text: expect.stringContaining(path) } });
    expect(gone.source?.fault?.status_messages[0]?.code).toBe('folder.missing');
    expect((await service.call('GET', '/readyz')).body).toMatchObject({
      status: 'ready',
      faults: [{ station_id: id, code: 'folder.missing' }],
    });
    const metrics = (await service.call('GET', '/metrics')).bytes.toString();
    expect(metrics).toContain(`kensa_source_ready{station="folder ${count}",kind="folder"} 0`);
    await writeFile(join(`${path}-away`, '2.png'), await stripes(2));
    await rename(`${path}-away`, path);
    await done(id, 2);
    expect(
      await eventually(
        () => stateOf(id),
        ({ ready }) => ready,
      ),
    ).toMatchObject({ fault: null });
    expect((await service.call('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
    await service.stop();
    service = await startTestService(settings(), { dataDir });
    await writeFile(join(path, '3.png'), await stripes(3));
    await done(id, 3);
    await settle();
    expect((await itemsOf(id)).map(({ name }) => name)).toEqual(['1', '2', '3']);
  });

  it.skipIf(!mayMount)('takes files of a drive that tells of none', async () => {
    const { id, path } = await newStation('keep');
    await writeFile(join(path, '1.png'), await stripes(1));
    await done(id, 1);
    // Lies over the folder whose notifications the service gets.
    mountDisk(path);
    try {
      await writeFile(join(path, '2.png'), await stripes(2));
      await done(id, 2);
    } finally {
      await service.call('DELETE', `/api/v1/stations/${id}`);
      unmountDisk(path);
    }
  });

  it.each([
    ['a file', (name: string) => writeFile(name, 'a file')],
    ['a link that leads nowhere', (name: string) => symlink(join(root, 'nowhere'), name)],
  ])('inspects a file that %s keeps from being moved away once, holds up no other, and says so', async (_, block) => {
    const { id, path } = await newStation('move');
    await mkdir(join(path, 'done'));
    await mkdir(join(path, 'left'));
    // Where the folder of moved files should be.
    await block(join(path, 'done', 'left'));
    await writeFile(join(path, 'left', 'x.png'), await stripes(1));
    const code = (state: StationState) => state.source?.fault?.status_messages[0]?.code;
    await eventually(
      () => stateOf(id),
      (state) => code(state) === 'folder.not-removable',
    );
    await writeFile(join(path, 'y.png'), await stripes(2));
    await done(id, 2);
    await settle();
    expect(await itemsOf(id)).toHaveLength(2);
    await rm(join(path, 'done', 'left'));
    await eventually(
      () => stateOf(id),
      (state) => state.source?.fault === null,
    );
    expect((await readdir(join(path, 'done'), { recursive: true })).sort()).toEqual(['left', 'left/x.png', 'y.png']);
    expect(await itemsOf(id)).toHaveLength(2);
  });

  it('leaves files where they are while the station takes none, and while it is switched off', async () => {
    const { id, path } = await newStation('delete', { model_id: null });
    await writeFile(join(path, 'x.png'), await stripes(1));
    await settle();
    expect(await itemsOf(id)).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ ready: false, source: { ready: true, waiting: 1 } });
    await service.call('PUT', `/api/v1/stations/${id}/model`, { body: { model_id: modelId } });
    await done(id, 1);
    await service.call('PUT', `/api/v1/stations/${id}`, { body: { enabled: false } });
    await settle();
    await writeFile(join(path, 'y.png'), await stripes(2));
    await settle();
    expect(await readdir(path)).toEqual(['y.png']);
    await service.call('DELETE', `/api/v1/stations/${id}`);
  });

  it('reads nothing that a link leads to', async () => {
    const { id, path } = await newStation('delete');
    const elsewhere = join(root, `elsewhere-${count}`);
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'secret.png'), await stripes(1));
    await symlink(join(elsewhere, 'secret.png'), join(path, 'link.png'));
    await symlink(elsewhere, join(path, 'folder'));
    await writeFile(join(path, 'own.png'), await stripes(2));
    await done(id, 1);
    await settle();
    expect((await itemsOf(id)).map(({ name }) => name)).toEqual(['own']);
    expect(await readdir(elsewhere)).toEqual(['secret.png']);
  });
});

describe('a folder that may not be watched', () => {
  it.each([
    ['outside the roots', () => '/etc', 'folder.outside'],
    ['outside by dots', () => join(root, '..'), 'folder.outside'],
    ['a link to the outside', () => join(root, 'link-to-etc'), 'folder.outside'],
    ['not absolute', () => 'pictures', 'folder.not-absolute'],
    ['not there', () => join(root, 'nowhere'), 'folder.missing'],
    ['a file', () => join(root, 'file'), 'folder.no-folder'],
    ['of another station', () => join(root, 'taken', 'below'), 'folder.taken'],
  ])('is refused in words: %s', async (_, path, code) => {
    await symlink('/etc', join(root, 'link-to-etc')).catch(() => {});
    await writeFile(join(root, 'file'), '');
    await mkdir(join(root, 'taken', 'below'), { recursive: true });
    const create = (name: string, folder: string) => {
      const body = { name, source: { kind: 'folder', path: folder, after: 'move' } };
      return service.call('POST', '/api/v1/stations/', { body });
    };
    await create('owner', join(root, 'taken'));
    const error = expectError(await create(`other ${path()}`, path()), 422, 'source.path');
    expect(JSON.stringify(error.values)).toContain(code);
  });

  it.skipIf(!mayMount)('that is read-only is refused where files go, and may be watched where they stay', async () => {
    const path = join(root, 'read-only');
    mkdirSync(path);
    mountDisk(path);
    try {
      execFileSync('mount', ['-o', 'remount,ro', path]);
      const create = (name: string, after: string) =>
        service.call('POST', '/api/v1/stations/', { body: { name, source: { kind: 'folder', path, after } } });
      for (const after of ['move', 'delete']) {
        const error = expectError(await create(after, after), 422, 'source.path');
        expect(JSON.stringify(error.values)).toContain('folder.read-only');
      }
      const { station_id: id } = dataOf<{ station_id: string }>(await create('stays', 'keep'));
      await service.call('DELETE', `/api/v1/stations/${id}`);
    } finally {
      unmountDisk(path);
    }
  });

  it('is one with the data of the service: above it, itself, or in it', async () => {
    const own = await mkdtemp(join(root, 'data-'));
    const other = await startTestService({ KENSA_FOLDER_ROOTS: root }, { dataDir: own, work: false });
    await mkdir(join(own, 'in it'));
    for (const path of [root, own, join(own, 'in it')]) {
      const body = { name: path, source: { kind: 'folder', path } };
      const error = expectError(await other.call('POST', '/api/v1/stations/', { body }), 422, 'source.path');
      expect(JSON.stringify(error.values), path).toContain('folder.data');
    }
    await other.stop();
  });

  it('without KENSA_FOLDER_ROOTS is any', async () => {
    const other = await startTestService();
    const body = { name: 'a', source: { kind: 'folder', path: root } };
    const error = expectError(await other.call('POST', '/api/v1/stations/', { body }), 422, 'source.path');
    expect(error.detail).toContain('KENSA_FOLDER_ROOTS');
    await other.stop();
  });
});
