import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { type Config, findUnknownSettings, loadConfig } from '../../config.ts';
import { createBackboneCatalogue } from '../../domains/algorithms/backbone-catalogue.ts';
import { DataDirLockedError } from '../../storage/data-dir.ts';
import type { Db } from '../../storage/database.ts';
import { findUnknownMigrations, newerDatabase } from '../../storage/migrate.ts';
import { openStorage, type Storage } from '../../storage/open-storage.ts';
import { describeFailure } from '../command-error.ts';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'bad';
  readonly text: string;
}

const marks = { ok: '✓', warning: '!', bad: '✗' };
const gibibyte = 1024 ** 3;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('say in words what is wrong with this machine or data folder')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const config = loadConfig();
      const folder = await checkFolder(config.KENSA_DATA_DIR);
      const backbones = await checkBackbones(config.BACKBONES_DIR);
      const findings = [...checkMachine(), ...checkSettings(), folder, ...backbones];
      if (folder.state !== 'bad') findings.push(...(await checkData(config)));
      if (options.json) console.log(JSON.stringify(findings));
      else for (const { check, state, text } of findings) console.log(`${marks[state]} ${check}: ${text}`);
      if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1;
    });
}

function checkMachine(): Finding[] {
  const memory = `${(freemem() / gibibyte).toFixed(1)} of ${(totalmem() / gibibyte).toFixed(1)} GiB memory free`;
  return [
    { check: 'node', state: 'ok', text: `${process.version}, ${availableParallelism()} cores` },
    { check: 'memory', state: freemem() < gibibyte ? 'warning' : 'ok', text: memory },
  ];
}

function checkSettings(): Finding[] {
  return findUnknownSettings().map((text) => ({ check: 'settings', state: 'warning', text }));
}

async function checkFolder(dataDir: string): Promise<Finding> {
  const check = 'data folder';
  if (!existsSync(dataDir)) {
    const text = `${dataDir} is not there. Mend KENSA_DATA_DIR. If it is right, the first start makes the folder.`;
    return { check, state: 'bad', text };
  }
  try {
    await access(dataDir, constants.W_OK);
  } catch {
    const text = `${dataDir} cannot be written. Give this user write permission, or set KENSA_DATA_DIR.`;
    return { check, state: 'bad', text };
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const text = `${dataDir}, ${(free / gibibyte).toFixed(1)} GiB free`;
  return { check, state: free < gibibyte ? 'warning' : 'ok', text };
}

async function checkBackbones(userDir: string | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (userDir !== undefined && !existsSync(userDir)) {
    findings.push({ check: 'backbones', state: 'bad', text: `BACKBONES_DIR is ${userDir}, which does not exist.` });
  }
  const catalogue = createBackboneCatalogue(userDir);
  for (const id of await catalogue.listBackbones()) {
    const check = `backbone ${id}`;
    try {
      await catalogue.getBackbone(id);
      findings.push({ check, state: 'ok', text: 'readable' });
    } catch (error) {
      findings.push({ check, state: 'bad', text: (error as Error).message });
    }
  }
  return findings;
}

async function checkData(config: Config): Promise<Finding[]> {
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
    const database = await checkDatabase(storage.db, config.DATABASE_URL !== undefined);
    return database.state === 'bad' ? [database] : [database, await checkBlobs(storage)];
  } finally {
    await storage.close();
  }
}

async function checkDatabase(db: Db, isPostgres: boolean): Promise<Finding> {
  const database = await (isPostgres ? checkPostgres(db) : checkSqlite(db));
  if (database.state === 'bad') return database;
  const unknown = await findUnknownMigrations(db);
  return unknown.length === 0 ? database : { ...database, state: 'bad', text: newerDatabase(unknown).message };
}

async function checkPostgres(db: Db): Promise<Finding> {
  const check = 'database';
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    return { check, state: 'ok', text: `PostgreSQL ${rows[0]?.server_version} answers` };
  } catch (error) {
    const text = describeFailure(error) ?? `PostgreSQL does not answer: ${(error as Error).message}.`;
    return { check, state: 'bad', text };
  }
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
    await blobs.get(row.blob).catch(() => damaged.push(`${row.name} of item ${row.item_id}`));
  }
  if (damaged.length === 0)
    return { check: 'images', state: 'ok', text: `${rows.length} images, none missing or damaged` };
  const text = `${damaged.length} of ${rows.length} missing or damaged: ${damaged.slice(0, 5).join(', ')}. Restore them from a backup, or delete the items.`;
  return { check: 'images', state: 'bad', text };
}
