import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabase } from '../../src/storage/open-storage.ts';
import { findPostgres, startPostgres, type TestPostgres } from './start-postgres.ts';

export const backends = ['sqlite', 'postgres'] as const;
export type Backend = (typeof backends)[number];

/** Backends that can run here; the other says why not, once. */
export const backendsHere: readonly Backend[] = backends.filter((backend) => {
  if (backend === 'sqlite' || findPostgres()) return true;
  console.warn('PostgreSQL is not installed: tests on it are skipped. Install it with: apt-get install postgresql');
  return false;
});

let server: Promise<TestPostgres> | undefined;

/** An empty database on the server of this test file, which is started by the first that asks. */
export async function createPostgresDatabase(): Promise<string> {
  server ??= startPostgres();
  return (await server).createDatabase();
}

/** For `afterAll` of a test file that uses PostgreSQL. */
export async function stopTestPostgres(): Promise<void> {
  const running = server;
  server = undefined;
  await (await running)?.stop();
}

export interface TestDatabase {
  readonly db: Db;
  close(): Promise<void>;
}

/** An empty database of this version's schema. */
export async function openTestDatabase(backend: Backend): Promise<TestDatabase> {
  if (backend === 'postgres') {
    const db = openDatabase({ url: await createPostgresDatabase() });
    await migrate(db);
    return { db, close: () => db.destroy() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'kensa-db-'));
  const db = openDatabase({ dataDir });
  await migrate(db);
  return {
    db,
    async close() {
      await db.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
