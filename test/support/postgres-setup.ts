import type { TestProject } from 'vitest/node';
import { createDatabaseBeside, startPostgres } from './start-postgres.ts';

const variable = 'KENSA_TEST_POSTGRES';

/** One PostgreSQL for all files of the project, stopped after the last. */
export default async function setup(_project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  // The processes that run the tests inherit it.
  process.env[variable] = server.url;
  return () => server.stop();
}

export function createSharedDatabase(): Promise<string> {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: run these tests as the vitest project "postgres".`);
  return createDatabaseBeside(url);
}
