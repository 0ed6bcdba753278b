import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { findFreePort } from '../support/free-port.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { dataOf } from '../support/trained-model.ts';

let service: TestService;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kensa-roots-'));
  const port = String(await findFreePort());
  service = await startTestService({ KENSA_FOLDER_ROOTS: root, KENSA_MODBUS_PORT: port });
});
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

const test = (body: object) => service.call('POST', '/api/v1/stations/test', { body });
const stations = async () => dataOf<unknown[]>(await service.call('GET', '/api/v1/stations/')).length;

describe('settings of a station', () => {
  it('are tried without being stored: all that does not work is named at once', async () => {
    const missing = join(root, 'missing');
    const refused = await test({
      source: { kind: 'folder', path: missing },
      outputs: [{ kind: 'mqtt' }, { kind: 'modbus' }, { kind: 'webhook', url: 'http://127.0.0.1:1/' }],
    });
    expectError(refused, 422);
    const text = JSON.stringify(refused.body);

    for (const key of ['outputs.0.kind', 'outputs.1.unit', 'outputs.2.url', 'source.path']) expect(text).toContain(key);

    await mkdir(missing);
    const source = { kind: 'folder', path: missing };
    const outputs = [{ kind: 'modbus', unit: 9 }];
    const read = { name_pattern: '(?<lot>L\\d+)_(?<serial>\\d+)_(?<side>\\w+)', file_name: 'L7_0042_top.png' };
    expect(dataOf(await test({ source, outputs, ...read }))).toEqual({
      tested: [
        { key: 'source', kind: 'folder' },
        { key: 'outputs.0', kind: 'modbus' },
      ],
      read: { serial: '0042', lot: 'L7', fields: { side: 'top' } },
    });
    expect(dataOf(await test({ ...read, file_name: 'other.png' }))).toMatchObject({
      read: { serial: null, lot: null },
    });
    expect(await stations()).toBe(0);
  });

  it('of a station are tried though they have not changed, and those of another are taken', async () => {
    const path = join(root, 'press-1');
    await mkdir(path);
    const settings = { source: { kind: 'folder', path }, outputs: [{ kind: 'modbus', unit: 1 }] };
    const made = await service.call('POST', '/api/v1/stations/', { body: { name: 'press 1', ...settings } });
    const { station_id } = dataOf<{ station_id: string }>(made);
    expect((await test({ station_id, ...settings })).status).toBe(200);
    const taken = await test(settings);
    expectError(taken, 422);
    expect(JSON.stringify(taken.body)).toMatch(/outputs\.0\.unit.*source\.path/);
    await rm(path, { recursive: true });
    expectError(await test({ station_id, ...settings }), 422);
    expectError(await test({ station_id: 'nobody' }), 404);
    await service.call('DELETE', `/api/v1/stations/${station_id}`);
  });
});
