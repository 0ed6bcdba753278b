import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDiskBlobStore } from '../../src/storage/blobs/disk-blob-store.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { newModel } from '../support/rows.ts';
import { spawnKensa } from '../support/spawn-service.ts';

const PATIENCE_MS = 30_000;

it('a start that fails says why and ends, though a compute process opens the active model by then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kensa-broken-'));
  const db = openDatabase({ dataDir: folder });
  await migrate(db);
  const blob = await createDiskBlobStore(join(folder, 'blobs')).put(Buffer.from('something else than a model'));
  const parts = { model_blob: blob, backbone_id: 'kensa', backbone_blob: blob, backbone_description: '{}' };
  await db
    .insertInto('models')
    .values({ ...newModel('the active one'), ...parts, active: 1 })
    .execute();
  await db.schema.dropTable('settings').execute();
  await db.destroy();
  const service = spawnKensa(['serve'], { KENSA_DATA_DIR: folder });
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  try {
    const ended = once(service, 'exit').then(([code]) => code);
    expect(await Promise.race([ended, pause(PATIENCE_MS, 'still there', { ref: false })])).toBe(1);
    expect(output).toContain('no such table: settings');
  } finally {
    service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
