import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import { unsyncedTransaction } from './unsynced-transaction.ts';

describe('unsyncedTransaction', () => {
  let opened: Awaited<ReturnType<typeof openTemporaryDatabase>>;
  beforeAll(async () => {
    opened = await openTemporaryDatabase();
  });
  afterAll(() => opened.close());

  const FULL = 2;
  const NORMAL = 1;
  const syncLevel = async (db = opened.db): Promise<number | undefined> =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous;
  const save = (name: string) => (db: typeof opened.db) =>
    db.insertInto('labels').values({ label: name.length, name }).execute();
  const names = async () => (await opened.db.selectFrom('labels').select('name').execute()).map(({ name }) => name);

  it('waits for the disk at every other commit', async () => {
    expect(await syncLevel()).toBe(FULL);
    const within = await unsyncedTransaction(opened.db, async (trx) => {
      await save('a')(trx);
      return syncLevel(trx);
    });
    expect(within).toBe(NORMAL);
    expect(await syncLevel()).toBe(FULL);
    expect(await names()).toEqual(['a']);
  });

  it('takes back all of it where it fails, and waits for the disk afterwards', async () => {
    const failing = unsyncedTransaction(opened.db, async (trx) => {
      await save('bb')(trx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await names()).toEqual(['a']);
    expect(await syncLevel()).toBe(FULL);
  });

  it('lets no transaction that runs beside it skip the disk', async () => {
    const levels = await Promise.all([
      unsyncedTransaction(opened.db, (trx) => syncLevel(trx)),
      opened.db.transaction().execute((trx) => syncLevel(trx)),
      unsyncedTransaction(opened.db, (trx) => syncLevel(trx)),
      opened.db.transaction().execute((trx) => syncLevel(trx)),
    ]);
    expect(levels).toEqual([NORMAL, FULL, NORMAL, FULL]);
  });
});
