import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupDataDir } from './backup-data-dir.ts';
import { SqliteDatabase, sqlitePackage } from './data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kensa-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that writes to a database of some 16 MB without a pause: two rows at a time, in one transaction. */
async function startWriter(file: string) {
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  database.exec('create table rows (value blob)');
  const insert = database.prepare('insert into rows values (randomblob(4000))');
  database.transaction(() => {
    for (let row = 0; row < 4000; row++) insert.run();
  })();
  database.close();
  const script = `
    const database = new (require(${JSON.stringify(createRequire(import.meta.url).resolve(sqlitePackage))}))(${JSON.stringify(file)});
    database.pragma('busy_timeout = 5000');
    const write = database.transaction(() => database.exec('insert into rows values (1); insert into rows values (2)'));
    write();
    console.log('ready');
    const until = Date.now() + 60000;
    (function turn() { write(); if (Date.now() < until) setTimeout(turn, 1); })();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

it('ends under a load that never pauses, with the database as of one moment, in the place of the last one', async () => {
  const [source, target] = [join(folder, 'data'), join(folder, 'copy')];
  mkdirSync(join(source, 'blobs'), { recursive: true });
  mkdirSync(target);
  // Of a service that ran on the copy before it was made anew.
  writeFileSync(join(target, 'kensa.db'), 'an older one');
  writeFileSync(join(target, 'kensa.db-wal'), 'and what was not in it yet');
  const writer = await startWriter(join(source, 'kensa.db'));
  const before = performance.now();
  try {
    await backupDataDir(source, target, () => {});
  } finally {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  }
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(readdirSync(target).filter((name) => name !== 'blobs')).toEqual(['kensa.db']);
  const copy = new SqliteDatabase(join(target, 'kensa.db'), { readonly: true });
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  const rows = copy.prepare('select count(*) as count from rows').get() as { count: number };
  expect(rows.count).toBeGreaterThan(4000);
  expect(rows.count % 2).toBe(0);
  copy.close();
}, 60_000);
