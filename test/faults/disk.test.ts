import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KensaError } from '../../src/client/kensa-client.ts';
import { demoFiles } from '../support/demo-images.ts';
import { hasProgram } from '../support/find-program.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendByFtp } from '../support/ftp-client.ts';
import { startCamera } from '../support/simulated-camera.ts';
import { fillDisk, mayMount, mountDisk } from '../support/small-disk.ts';
import { runKensa, type SpawnedService, spawnService } from '../support/spawn-service.ts';
import { eventually } from '../support/trained-model.ts';
import { startTraining } from './plant.ts';

const hasFfmpeg = hasProgram('ffmpeg');
let folder: string;
let service: SpawnedService | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-disk-'));
});
afterEach(async () => {
  await service?.kill();
  service = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const refusal = (work: Promise<unknown>): Promise<KensaError> =>
  work.then(
    () => expect.unreachable('it was accepted'),
    (error: unknown) => (error instanceof KensaError ? error : expect.unreachable(String(error))),
  );

describe.skipIf(!mayMount)('a disk', () => {
  beforeEach(() => {
    mountDisk(folder);
  });
  afterEach(async () => {
    await service?.kill();
    execFileSync('umount', [folder]);
  });

  it('that is full refuses uploads in words, keeps what it has, and goes on once there is room', async () => {
    const running = await spawnService({ KENSA_DATA_DIR: folder });
    service = running;
    const { training: [first, second, third] = [] } = await demoFiles({ good: 3, testGood: 0, testDefect: 0 });
    if (!first || !second || !third) throw new Error('three images are needed');
    const [kept] = await running.client.uploadItems([first], { training: 'true' });
    const makeRoom = fillDisk(folder);
    const error = await refusal(running.client.uploadItems([second], { training: 'true' }));
    expect(error.status).toBe(507);
    expect(error.message).toMatch(/disk is full.*Make room/);
    expect(await running.client.request('GET', `/api/v1/items/${kept}`)).toMatchObject({ status: 'pending' });
    makeRoom();
    const [later] = await running.client.uploadItems([third], { training: 'true' });
    await running.kill();
    service = await spawnService({ KENSA_DATA_DIR: folder });
    const list = await service.client.request('GET', '/api/v1/items/?item_type=training');
    expect(list).toMatchObject({ total: 2, items: [{ item_id: later }, { item_id: kept }] });
  });

  it('that is full leaves images where they are, says so, and takes them once there is room', async () => {
    const roots = mkdtempSync(join(tmpdir(), 'kensa-watched-'));
    const ftpPort = await findFreePort();
    const running = await spawnService({
      KENSA_DATA_DIR: folder,
      KENSA_FOLDER_ROOTS: roots,
      KENSA_FTP_PORT: String(ftpPort),
      KENSA_FTP_PASSIVE_PORTS: '43200-43299',
    });
    service = running;
    const { training } = await demoFiles({ good: 4, testGood: 0, testDefect: 0 }, { pixels: 128 });
    await running.client.uploadItems(training, { training: 'true' });
    const { model_id } = await startTraining(running.client);
    await running.client.waitForModel(model_id);
    const make = (name: string, source: object) =>
      running.client.request<{ station_id: string; ftp_login?: { user: string; password: string } }>(
        'POST',
        '/api/v1/stations/',
        { name, model_id, source },
      );
    const { station_id: id } = await make('watched', { kind: 'folder', path: roots, after: 'delete' });
    const { station_id: ftpId, ftp_login: login } = await make('ftp', { kind: 'ftp' });
    if (!login) throw new Error('The station has no login.');
    const [image] = (await demoFiles({ good: 0, testGood: 1, testDefect: 0 }, { pixels: 256 })).test;
    const bytes = image?.bytes ?? new Uint8Array();
    const send = () => sendByFtp({ port: ftpPort, ...login }, 'a.jpg', bytes);
    const camera = hasFfmpeg ? await startCamera(Buffer.from(bytes)) : undefined;
    const cameraId =
      camera && (await make('camera', { kind: 'camera', url: camera.url, trigger: 'request' })).station_id;
    const trigger = () =>
      running.client.request('POST', `/api/v1/stations/${cameraId}/trigger?timeout_ms=20000`, { serial: 'S' });
    const isReady = async (one: string): Promise<boolean> =>
      (await running.client.request<{ state: { ready: boolean } }>('GET', `/api/v1/stations/${one}`)).state.ready;
    if (cameraId)
      await eventually(
        () => isReady(cameraId),
        (ready) => ready,
      );
    const makeRoom = fillDisk(folder);
    expect(await send()).toBe(false);
    if (camera) expect((await refusal(trigger())).status).toBe(507);
    writeFileSync(join(roots, 'a.png'), bytes);
    const read = () =>
      running.client.request<{ state: { fault: { status_messages: { code: string }[] } | null; waiting: number } }>(
        'GET',
        `/api/v1/stations/${id}`,
      );
    const full = await eventually(read, ({ state }) => state.fault !== null);
    expect(full.state.fault?.status_messages[0]?.code).toBe('storage-full');
    expect(await readdir(roots)).toEqual(['a.png']);
    makeRoom();
    await eventually(
      () => readdir(roots),
      ({ length }) => length === 0,
    );
    expect((await eventually(read, ({ state }) => state.fault === null)).state.fault).toBeNull();
    expect(await send()).toBe(true);
    if (camera) expect(await trigger()).toMatchObject({ status: 'done' });
    for (const station of [id, ftpId, ...(cameraId ? [cameraId] : [])]) {
      const path = `/api/v1/items/?item_type=prediction&station_id=${station}`;
      expect(await running.client.request('GET', path)).toMatchObject({ total: 1 });
    }
    await camera?.close();
    rmSync(roots, { recursive: true });
  });

  it('that becomes read-only refuses uploads in words, reads on, and takes them once it is mended', async () => {
    service = await spawnService({ KENSA_DATA_DIR: folder });
    const { training: [first, second] = [] } = await demoFiles({ good: 2, testGood: 0, testDefect: 0 });
    if (!first || !second) throw new Error('two images are needed');
    await service.client.uploadItems([first], { training: 'true' });
    // A disk cannot be remounted while files are open for writing; a folder can be made immutable at any time.
    execFileSync('chattr', ['+i', join(folder, 'blobs')], { stdio: 'ignore' });
    const error = await refusal(service.client.uploadItems([second], { training: 'true' }));
    expect(error.status).toBe(503);
    expect(error.message).toMatch(/storage cannot be used/);
    expect(await service.client.request('GET', '/api/v1/items/?item_type=training')).toMatchObject({ total: 1 });
    execFileSync('chattr', ['-i', join(folder, 'blobs')]);
    await service.client.uploadItems([second], { training: 'true' });
  });

  it('that is read-only at the start is named in words', async () => {
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const { code, output } = await runKensa(['serve'], { KENSA_DATA_DIR: folder });
    execFileSync('mount', ['-o', 'remount,rw', folder]);
    expect(code).toBe(1);
    expect(output).toMatch(/kensa: .*(read-only|readonly|unable to open)/i);
    expect(output).not.toMatch(/\n\s+at /);
  });
});

describe('a data folder', () => {
  it('is one process’s: a second is told so, and the first does not notice', async () => {
    service = await spawnService({ KENSA_DATA_DIR: folder });
    const { code, output } = await runKensa(['serve'], { KENSA_DATA_DIR: folder });
    expect(code).toBe(1);
    expect(output).toMatch(/Another Kensa process uses the data folder/);
    expect(await service.client.request('GET', '/api/v1/items/?item_type=training')).toMatchObject({ total: 0 });
  });

  it('with a flipped bit, or a missing file, gives an error and never wrong bytes; doctor names them', async () => {
    service = await spawnService({ KENSA_DATA_DIR: folder });
    const { training } = await demoFiles({ good: 2, testGood: 0, testDefect: 0 });
    const ids = await service.client.uploadItems(training, { training: 'true' });
    const blobs = (await readdir(join(folder, 'blobs'), { recursive: true }))
      .filter((name) => /[0-9a-f]{64}$/.test(name))
      .map((name) => join(folder, 'blobs', name));
    expect(blobs).toHaveLength(2);
    const damaged = await readFile(blobs[0] ?? '');
    damaged[100] = (damaged[100] ?? 0) ^ 1;
    await writeFile(blobs[0] ?? '', damaged);
    await rm(blobs[1] ?? '');
    const statuses = [];
    for (const id of ids) {
      const item = await service.client.request<{ images: { url: string }[] }>('GET', `/api/v1/items/${id}`);
      statuses.push((await fetch(`${service.url}${item.images[0]?.url}`)).status);
    }
    expect(statuses.sort()).toEqual([404, 500]);
    await service.stop();
    const { code, output } = await runKensa(['doctor'], { KENSA_DATA_DIR: folder });
    expect(code).toBe(1);
    expect(output).toMatch(/2 of 2 missing or damaged/);
  });

  it('has every acknowledged upload on the disk: as many syncs as strace counts', async () => {
    try {
      execFileSync('strace', ['-V'], { stdio: 'ignore' });
    } catch {
      console.warn('strace is not installed: syncs are not counted.');
      return;
    }
    const trace = join(folder, 'trace');
    service = await spawnService({ KENSA_DATA_DIR: join(folder, 'data') }, [
      // -D: the process that is told to stop is the service, which a tracer that is told so would leave behind.
      ...['strace', '-D', '-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', trace],
    ]);
    const count = (): number =>
      readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => /f(data)?sync\(/.test(line)).length;
    const { training } = await demoFiles({ good: 8, testGood: 0, testDefect: 0 });
    const before = count();
    for (const file of training) await service.client.uploadItems([file], { training: 'true' });
    // The image, its name in the folder, and the commit.
    expect(count() - before).toBeGreaterThanOrEqual(3 * training.length);
  });
});
