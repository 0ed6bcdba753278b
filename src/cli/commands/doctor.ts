import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { type Config, findUnknownSettings, loadConfig } from '../../config.ts';
import { createBackboneCatalogue } from '../../domains/algorithms/backbone-catalogue.ts';
import { DataDirLockedError } from '../../storage/data-dir-lock.ts';
import type { Db } from '../../storage/database.ts';
import { findUnknownMigrations, NewerDatabaseError } from '../../storage/migrate.ts';
import { openStorage, type Storage } from '../../storage/open-storage.ts';
import { describeFailure } from '../describe-failure.ts';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'bad';
  readonly text: string;
}

type Check = (config: Config) => Promise<Finding[]>;

const gigabyte = 1024 ** 3;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('say in words what is wrong with this machine or data folder')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const config = loadConfig();
      const findings: Finding[] = [];
      for (const check of [checkMachine, checkSettings, checkFolder, checkBackbones, checkData]) {
        const data = findings.find((finding) => finding.check === 'data folder');
        // Without its folder nothing can be said of what is in it.
        if (check !== checkData || data?.state !== 'bad') findings.push(...(await check(config)));
      }
      if (options.json) console.log(JSON.stringify(findings));
      else for (const { check, state, text } of findings) console.log(`${mark[state]} ${check}: ${text}`);
      if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1;
    });
}

const mark = { ok: '✓', warning: '!', bad: '✗' };

const checkMachine: Check = async () => {
  const memory = `${(freemem() / gigabyte).toFixed(1)} of ${(totalmem() / gigabyte).toFixed(1)} GiB memory free`;
  return [
    { check: 'node', state: 'ok', text: `${process.version}, ${availableParallelism()} cores` },
    { check: 'memory', state: freemem() < gigabyte ? 'warning' : 'ok', text: memory },
  ];
};

const checkSettings: Check = async () =>
  findUnknownSettings().map((text) => ({ check: 'settings', state: 'warning', text }));

const checkFolder: Check = async ({ KENSA_DATA_DIR: dataDir }) => {
  if (!existsSync(dataDir)) {
    const text = `${dataDir} is not there. Mend KENSA_DATA_DIR. Where it is right, the first start makes the folder.`;
    return [{ check: 'data folder', state: 'bad', text }];
  }
  const writable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) {
    const text = `${dataDir} cannot be written. Give this user write permission, or set KENSA_DATA_DIR.`;
    return [{ check: 'data folder', state: 'bad', text }];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const text = `${dataDir}, ${(free / gigabyte).toFixed(1)} GiB free`;
  return [{ check: 'data folder', state: free < gigabyte ? 'warning' : 'ok', text }];
};

const checkBackbones: Check = async ({ BACKBONES_DIR: userDir }) => {
  const catalogue = createBackboneCatalogue(userDir);
  const findings: Finding[] = [];
  if (userDir !== undefined && !existsSync(userDir)) {
    findings.push({ check: 'backbones', state: 'bad', text: `BACKBONES_DIR is ${userDir}, which does not exist.` });
  }
  for (const id of await catalogue.listBackbones()) {
    const failure = await catalogue.getBackbone(id).then(
      () => undefined,
      (error: Error) => error.message,
    );
    findings.push({
      check: `backbone ${id}`,
      state: failure === undefined ? 'ok' : 'bad',
      text: failure ?? 'readable',
    });
  }
  return findings;
};

const checkData: Check = async (config) => {
  if (config.DATABASE_URL === undefined && !existsSync(join(config.KENSA_DATA_DIR, 'kensa.db'))) {
    const text = 'there is no kensa.db in the data folder: no service has run on it yet';
    return [{ check: 'database', state: 'warning', text }];
  }
  let storage: Storage;
  try {
    storage = openStorage(config);
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) {
      return [{ check: 'database', state: 'bad', text: describeFailure(error) ?? String(error) }];
    }
    const text = 'in use by a running service; stop it to have the database and the blobs checked';
    return [{ check: 'data', state: 'warning', text }];
  }
  try {
    const database = await checkDatabase(storage.db, config);
    return [database, ...(database.state === 'bad' ? [] : [await checkBlobs(storage)])];
  } finally {
    await storage.close();
  }
};

async function checkDatabase(db: Db, { DATABASE_URL: url }: Config): Promise<Finding> {
  const database = await (url === undefined ? checkSqlite(db) : checkPostgres(db));
  if (database.state === 'bad') return database;
  const unknown = await findUnknownMigrations(db);
  return unknown.length === 0 ? database : { ...database, state: 'bad', text: new NewerDatabaseError(unknown).message };
}

async function checkPostgres(db: Db): Promise<Finding> {
  const check = 'database';
  return sql<{ server_version: string }>`show server_version`.execute(db).then(
    ({ rows }): Finding => ({ check, state: 'ok', text: `PostgreSQL ${rows[0]?.server_version} answers` }),
    (error: Error): Finding => ({
      check,
      state: 'bad',
      text: describeFailure(error) ?? `PostgreSQL does not answer: ${error.message}.`,
    }),
  );
}

async function checkSqlite(db: Db): Promise<Finding> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const complaints = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  if (complaints.length === 0) return { check: 'database', state: 'ok', text: 'no damage found' };
  const text = `${complaints.slice(0, 3).join('; ')}. Restore kensa.db from a backup.`;
  return { check: 'database', state: 'bad', text };
}

async function checkBlobs({ db, blobs }: Storage): Promise<Finding> {
  const tables = await db.introspection.getTables();
  if (!tables.some((table) => table.name === 'item_images')) return { check: 'images', state: 'ok', text: 'none yet' };
  const rows = await db.selectFrom('item_images').select(['blob', 'item_id', 'name']).execute();
  const damaged: string[] = [];
  for (const row of rows) {
    const whole = await blobs.get(row.blob).then(
      () => true,
      () => false,
    );
    if (!whole) damaged.push(`${row.name} of item ${row.item_id}`);
  }
  if (damaged.length === 0)
    return { check: 'images', state: 'ok', text: `${rows.length} images, none missing or damaged` };
  const text = `${damaged.length} of ${rows.length} missing or damaged: ${damaged.slice(0, 5).join(', ')}. Restore them from a backup, or delete the items.`;
  return { check: 'images', state: 'bad', text };
}
