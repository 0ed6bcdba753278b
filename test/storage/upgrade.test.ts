import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Migrator, sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/cli/command-error.ts';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import type { ItemFilter } from '../../src/domains/items/item-conditions.store.ts';
import { createItemListStore } from '../../src/domains/items/item-list.store.ts';
import { createModelStore } from '../../src/domains/models/model.store.ts';
import { createFiguresStore } from '../../src/domains/system/figures.store.ts';
import { SqliteDatabase } from '../../src/storage/data-dir.ts';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { initialMigration } from '../../src/storage/migrations/0016-initial.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import {
  type Backend,
  backendsHere,
  createPostgresDatabase,
  openTestDatabase,
  stopTestPostgres,
  type TestDatabase,
} from '../support/backends.ts';
import { findListed } from '../support/listed-items.ts';
import { newAssessment, newItem } from '../support/rows.ts';

afterAll(stopTestPostgres);

const fixture = (backend: Backend): Promise<string> =>
  readFile(new URL(`fixtures/schema-0015.${backend}.sql`, import.meta.url), 'utf8');

/** A database as the version before wrote it and its backup tool dumped it: 23 items, verdicts, names beyond ASCII. */
async function openEarlier(backend: Backend): Promise<TestDatabase> {
  const dump = await fixture(backend);
  if (backend === 'postgres') {
    const url = await createPostgresDatabase();
    await runSql(url, dump);
    const db = openDatabase({ url });
    return { db, close: () => db.destroy() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-earlier-'));
  const file = new SqliteDatabase(join(dataDir, 'kensa.db'));
  file.exec(dump);
  file.close();
  const db = openDatabase({ dataDir });
  return { db, close: () => db.destroy().then(() => rm(dataDir, { recursive: true, force: true })) };
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

const filters: ItemFilter[] = [
  { item_type: 'prediction' },
  { item_type: 'training' },
  { item_type: 'prediction', model_id: 'm1', result: 'NG' },
  { item_type: 'prediction', model_id: 'm1', disagrees: true },
  { item_type: 'prediction', user_result: 'OK' },
  { item_type: 'training', model_id: 'm1' },
  { item_type: 'prediction', name: 'LOT-1' },
  { item_type: 'prediction', name: 'äusseres ｍ' },
  { item_type: 'prediction', name: '部品' },
  { item_type: 'prediction', from: '2026-01-01T05:00:00Z', until: '2026-01-01T20:00:00Z' },
  { item_type: 'prediction', status: 'failed' },
];

const tables = [
  'clients',
  'settings',
  'targets',
  'labels',
  'item_images',
  'annotations',
  'assessment_images',
  'models',
  'model_items',
  'model_versions',
  'jobs',
  'deliveries',
] as const;

/** What a user would miss. Of items and assessments, the columns that both versions have. */
async function readRows(db: Db) {
  const rest = tables.map(async (table) => (await sql`select * from ${sql.table(table)} order by 1`.execute(db)).rows);
  return Promise.all([
    db
      .selectFrom('items')
      .select(['seq', 'item_id', 'name', 'status', 'user_result', 'is_training', 'created_at', 'verdicts'])
      .orderBy('seq')
      .execute(),
    db
      .selectFrom('assessments')
      .select(['seq', 'item_id', 'model_id', 'result', 'raw_score', 'item_seq'])
      .orderBy('seq')
      .execute(),
    ...rest,
  ]);
}

/** Tables with their columns, and the names of indexes and triggers. */
async function readSchema(db: Db, backend: Backend) {
  const columns = (await db.introspection.getTables()).map(
    ({ name, columns }) => `${name} ${columns.map((column) => `${column.name} ${column.dataType}`).sort()}`,
  );
  const names =
    backend === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type in ('index', 'trigger') order by name`
      : sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'
          union all select tgname from pg_trigger where not tgisinternal
          union all select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
  return { columns: columns.sort(), names: (await names.execute(db)).rows.map(({ name }) => name) };
}

async function expectListsRight(db: Db): Promise<void> {
  for (const filter of filters) {
    const items = await findListed(db, filter);
    expect(items.length, JSON.stringify(filter)).toBeGreaterThan(0);
    const page = await createItemListStore(db).listItems(filter, { count: 100 });
    expect(page, JSON.stringify(filter)).toEqual({ items, total: items.length });
  }
}

describe.each(backendsHere)('a database of the version before on %s', (backend) => {
  const onEarlier = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const { db, close } = await openEarlier(backend);
    await work(db).finally(close);
  };

  it('keeps its rows, gets the schema of a new one, and its lists and counts are right then and later', () =>
    onEarlier(async (db) => {
      const before = await readRows(db);
      await migrate(db);
      const [items, assessments, clients = [], ...others] = before;
      const deliveries = others.pop() ?? [];
      // Earlier clients may do everything.
      expect(await readRows(db)).toEqual([
        items,
        assessments,
        clients.map((client) => Object.assign({}, client, { scope: 'all' })),
        ...others,
        // None is of a station.
        deliveries.map((delivery) => Object.assign({}, delivery, { station_id: null, output: null })),
      ]);
      await migrate(db);
      const fresh = await openTestDatabase(backend);
      expect(await readSchema(db, backend)).toEqual(await readSchema(fresh.db, backend));
      await fresh.close();
      await expectListsRight(db);
      // The oldest verdict of each item, which no later one replaces.
      const oldest = new Map(assessments.map(({ item_id, result }) => [item_id, result] as const).reverse());
      const ofInspected = (await db.selectFrom('items').select('item_id').where('is_training', '=', 0).execute())
        .map(({ item_id }) => oldest.get(item_id))
        .filter((result) => result !== undefined);
      expect(ofInspected.length).toBeGreaterThan(1);
      expect(await createFiguresStore(db).countFirstVerdicts('')).toEqual({
        ok: ofInspected.filter((result) => result === 'OK').length,
        ng: ofInspected.filter((result) => result === 'NG').length,
      });
      expect(await createFiguresStore(db).countStored()).toMatchObject({ items: 23, images: 24, models: 1 });
      const verdicts = await createModelStore(db).countVerdicts(['m1']);
      await db.transaction().execute(async (trx) => {
        const row = { ...newItem('new', { training: false, person: 'OK' }), name: 'LOT-1 new' };
        await createItemStore(db).insertItems(trx, [row], []);
        await trx
          .insertInto('assessments')
          .values(newAssessment('new', 'm1', 'NG'))
          .execute();
        await createItemStore(db).deleteItems(trx, ['item-5']);
      });
      await expectListsRight(db);
      const later = await createModelStore(db).countVerdicts(['m1']);
      expect(later.get('m1')?.falsePositives).toBe((verdicts.get('m1')?.falsePositives ?? 0) + 1);
      expect(await createModelStore(db).nextVersion(db as never, 'patchcore', 1)).toBe(8);
    }));

  it('stays as it was where the upgrade is broken off, and is upgraded by the next start', () =>
    onEarlier(async (db) => {
      const before = [await readRows(db), await readSchema(db, backend)];
      // The last table that the upgrade makes is there already.
      await sql`create table counts (scope text)`.execute(db);
      await expect(migrate(db)).rejects.toThrow(/counts/);
      await sql`drop table counts`.execute(db);
      expect([await readRows(db), await readSchema(db, backend)]).toEqual(before);
      await migrate(db);
      await expectListsRight(db);
    }));

  it('is refused in words where its last step is an earlier one, and left as it is', () =>
    onEarlier(async (db) => {
      await sql`delete from kysely_migration where name = '0015-bucket-sizes'`.execute(db);
      const before = await readSchema(db, backend);
      expect(describeFailure(await migrate(db).catch((error: unknown) => error))).toMatch(
        /its last step is 0014-score-layers, .* from step 0015-bucket-sizes on\. Nothing was changed\./,
      );
      expect(await readSchema(db, backend)).toEqual(before);
    }));
});

/** A database with the initial migration alone. */
async function openInitial(backend: Backend): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-initial-'));
  const db = backend === 'sqlite' ? openDatabase({ dataDir }) : openDatabase({ url: await createPostgresDatabase() });
  const provider = { getMigrations: async () => ({ '0016-initial': initialMigration }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  return { db, close: () => db.destroy().then(() => rm(dataDir, { recursive: true, force: true })) };
}

describe.each(backendsHere)('a database without stations on %s', (backend) => {
  it('gets them; its items stay as they were, and new ones know what they are of', async () => {
    const { db, close } = await openInitial(backend);
    const store = createItemStore(db);
    const insert = (rows: Parameters<typeof store.insertItems>[1]) =>
      db.transaction().execute((trx) => store.insertItems(trx, rows, []));
    await db
      .insertInto('items')
      .values(newItem('early', { training: false }))
      .execute();
    const before = await readRows(db);
    await migrate(db);
    expect(await readRows(db)).toEqual(before);
    const fresh = await openTestDatabase(backend);
    expect(await readSchema(db, backend)).toEqual(await readSchema(fresh.db, backend));
    await fresh.close();
    expect(await store.findItems(['early'])).toMatchObject([
      { serial: null, lot: null, station_id: null, fields: null },
    ]);
    await insert([{ ...newItem('late', { training: false }), serial: 'S 1', fields: '{"shift":"2"}' }]);
    for (const filter of [{ serial: 'S 1' }, { field: 'shift=2' }]) {
      const page = await createItemListStore(db).listItems({ item_type: 'prediction', ...filter }, { count: 9 });
      expect(page.items.map((item) => item.item_id)).toEqual(['late']);
    }
    await close();
  });
});

describe.skipIf(!backendsHere.includes('postgres'))('on PostgreSQL', () => {
  it('two processes that start at the same time upgrade a database once', async () => {
    const url = await createPostgresDatabase();
    await runSql(url, await fixture('postgres'));
    const starts = [openDatabase({ url }), openDatabase({ url })];
    await Promise.all(starts.map((db) => migrate(db)));
    for (const db of starts) await expectListsRight(db);
    await Promise.all(starts.map((db) => db.destroy()));
  });

  it('a user who owns the database needs no other right; another one is told of pg_trgm, and goes on once it is there', async () => {
    const url = await createPostgresDatabase();
    const as = (role: string) => {
      const changed = new URL(url);
      changed.username = role;
      return openDatabase({ url: changed.href });
    };
    const tablesOf = async (db: Db) => (await db.introspection.getTables()).map((table) => table.name);
    await runSql(url, 'create role guest login; grant all on schema public to guest');
    const guest = as('guest');
    expect(describeFailure(await migrate(guest).catch((error: unknown) => error))).toMatch(
      /pg_trgm.*permission denied.*postgresql-contrib.*create extension pg_trgm/,
    );
    expect(await tablesOf(guest)).not.toContain('items');
    await runSql(url, 'create extension pg_trgm');
    await migrate(guest);
    expect(await tablesOf(guest)).toContain('items');
    await guest.destroy();

    const owned = await createPostgresDatabase();
    const name = new URL(owned).pathname.slice(1);
    await runSql(owned, `create role owner login; alter database ${name} owner to owner`);
    const location = new URL(owned);
    location.username = 'owner';
    const owner = openDatabase({ url: location.href });
    await migrate(owner);
    expect(await tablesOf(owner)).toContain('items');
    await owner.destroy();
  });
});
