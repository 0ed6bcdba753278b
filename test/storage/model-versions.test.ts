import { afterAll, describe, expect, it } from 'vitest';
import { createModelStore } from '../../src/domains/models/model.store.ts';
import type { Db } from '../../src/storage/database.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';
import { newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

describe.each(backendsHere)('versions of models on %s', (backend) => {
  const onDatabase = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const database = await openTestDatabase(backend);
    await work(database.db).finally(() => database.close());
  };
  const train = (db: Db, id: string, context = 1): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const store = createModelStore(db);
      const version = await store.nextVersion(trx, 'patchcore', context);
      await store.insertModel(trx, { ...newModel(id), version, context_id: context }, []);
      return version;
    });
  const remove = (db: Db, id: string) => db.transaction().execute((trx) => createModelStore(db).deleteModel(trx, id));

  it('are counted for each target, and none is given again when the newest model is deleted', () =>
    onDatabase(async (db) => {
      expect([await train(db, 'a'), await train(db, 'b'), await train(db, 'c', 2)]).toEqual([1, 2, 1]);
      await remove(db, 'b');
      expect(await train(db, 'd')).toBe(3);
      for (const id of ['a', 'd']) await remove(db, id);
      expect(await train(db, 'e')).toBe(4);
    }));

  it('differ where two trainings are asked for at the same moment', () =>
    onDatabase(async (db) => {
      const versions = await Promise.all(['a', 'b', 'c', 'd'].map((id) => train(db, id)));
      expect(versions.sort()).toEqual([1, 2, 3, 4]);
    }));
});
