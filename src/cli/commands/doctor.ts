import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { type Config, findDoubtfulSettings, loadConfig } from '../../config.ts';
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
      const settings = findDoubtfulSettings(config).map((text) => finding('settings', 'warning', text));
      const findings = [...checkMachine(), ...settings, folder, ...backbones];
      if (folder.state !== 'bad') findings.push(...(await checkData(config)));
      if (options.json) console.log(JSON.stringify(findings));
      else for (const { check, state, text } of findings) console.log(`${marks[state]} ${check}: ${text}`);
      if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1;
    });
}

function finding(check: string, state: Finding['state'], text: string): Finding {
  return { check, state, text };
}

function checkMachine(): Finding[] {
  const memory = `${(freemem() / gibibyte).toFixed(1)} of ${(totalmem() / gibibyte).toFixed(1)} GiB memory free`;
  return [
    finding('node', 'ok', `${process.version}, ${availableParallelism()} cores`),
    finding('memory', freemem() < gibibyte ? 'warning' : 'ok', memory),
  ];
}

async function checkFolder(dataDir: string): Promise<Finding> {
  const check = 'data folder';
  if (!existsSync(dataDir)) {
    const advice = 'Mend KENSA_DATA_DIR. If it is right, the first start makes the folder.';
    return finding(check, 'bad', `${dataDir} is not there. ${advice}`);
  }
  try {
    await access(dataDir, constants.W_OK);
  } catch {
    const advice = 'Give this user write permission, or set KENSA_DATA_DIR.';
    return finding(check, 'bad', `${dataDir} cannot be written. ${advice}`);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / gibibyte;
  return finding(check, free < 1 ? 'warning' : 'ok', `${dataDir}, ${free.toFixed(1)} GiB free`);
}

async function checkBackbones(userDir: string | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (userDir !== undefined && !existsSync(userDir)) {
    findings.push(finding('backbones', 'bad', `BACKBONES_DIR is ${userDir}, which does not exist.`));
  }
  const catalogue = createBackboneCatalogue(userDir);
  for (const id of await catalogue.listBackbones()) {
    const checked = catalogue.getBackbone(id).then(
      () => finding(`backbone ${id}`, 'ok', 'readable'),
      (error: Error) => finding(`backbone ${id}`, 'bad', error.message),
    );
    findings.push(await checked);
  }
  return findings;
}

async function checkData(config: Config): Promise<Finding[]> {
  if (config.DATABASE_URL === undefined && !existsSync(join(config.KENSA_DATA_DIR, 'kensa.db'))) {
    return [finding('database', 'warning', 'there is no kensa.db in the data folder: no service has run on it yet')];
  }
  let storage: Storage;
  try {
    storage = openStorage(config);
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) {
      return [finding('database', 'bad', describeFailure(error) ?? String(error))];
    }
    const text = 'in use by a running service; stop it to have the database and the blobs checked';
    return [finding('data', 'warning', text)];
  }
  try {
    const database = await (config.DATABASE_URL === undefined ? checkSqlite(storage.db) : checkPostgres(storage.db));
    if (database.state === 'bad') return [database];
    const unknown = await findUnknownMigrations(storage.db);
    if (unknown.length > 0) return [finding('database', 'bad', newerDatabase(unknown).message)];
    return [database, await checkBlobs(storage)];
  } finally {
    await storage.close();
  }
}

async function checkPostgres(db: Db): Promise<Finding> {
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    return finding('database', 'ok', `PostgreSQL ${rows[0]?.server_version} answers`);
  } catch (error) {
    const text = describeFailure(error) ?? `PostgreSQL does not answer: ${(error as Error).message}.`;
    return finding('database', 'bad', text);
  }
}

async function checkSqlite(db: Db): Promise<Finding> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const complaints = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  if (complaints.length === 0) return finding('database', 'ok', 'no damage found');
  return finding('database', 'bad', `${complaints.slice(0, 3).join('; ')}. Restore kensa.db from a backup.`);
}

async function checkBlobs({ db, blobs }: Storage): Promise<Finding> {
  const tables = await db.introspection.getTables();
  if (!tables.some((table) => table.name === 'item_images')) return finding('images', 'ok', 'none yet');
  const images = db.selectFrom('item_images').innerJoin('items', 'items.item_id', 'item_images.item_id');
  const rows = await images
    .select(['blob', 'item_images.item_id', 'item_images.name'])
    // A database that this release has not started on yet has no such column, and no removed images.
    .$if(await hasRetention(db), (query) => query.where('images_removed_at', 'is', null))
    .execute();
  const damaged: string[] = [];
  for (const row of rows) {
    await blobs.get(row.blob).catch(() => damaged.push(`${row.name} of item ${row.item_id}`));
  }
  if (damaged.length === 0) return finding('images', 'ok', `${rows.length} images, none missing or damaged`);
  const text = `${damaged.length} of ${rows.length} missing or damaged: ${damaged.slice(0, 5).join(', ')}.`;
  return finding('images', 'bad', `${text} Restore them from a backup, or delete the items.`);
}

async function hasRetention(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables();
  const items = tables.find((table) => table.name === 'items');
  return items?.columns.some((column) => column.name === 'images_removed_at') === true;
}
