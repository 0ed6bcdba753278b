import { afterAll, describe, expect, it } from 'vitest';
import { createItemListStore, type ItemFilter, searchItems } from '../../src/domains/items/item-list.store.ts';
import type { Db } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { backendsHere, openTestDatabase, stopTestPostgres } from '../support/backends.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

const COUNT = 60;
/** What later migrations compute from the rows that they find: counts and times of lists, parts of names. */
const schemas = ['0004-target-references', '0008-items-by-time', '0014-score-layers'];
const filters: ItemFilter[] = [
  { item_type: 'prediction' },
  { item_type: 'training' },
  { item_type: 'prediction', model_id: 'm1', result: 'NG' },
  { item_type: 'prediction', model_id: 'm1', disagrees: true },
  { item_type: 'prediction', user_result: 'OK' },
  { item_type: 'prediction', name: 'ITEM 1' },
  { item_type: 'prediction', name: '7' },
  { item_type: 'prediction', from: hour(10), until: hour(40) },
  { item_type: 'prediction', status: 'failed' },
];

function hour(number: number): string {
  return new Date(Date.UTC(2026, 0, 1, number)).toISOString();
}

async function fill(db: Db): Promise<void> {
  // Its column came later.
  const { refinement: _, ...model } = newModel('m1');
  await db.insertInto('models').values(model).execute();
  for (let index = 0; index < COUNT; index++) {
    const id = `Item ${index}`;
    const person = ([null, 'OK', 'NG'] as const)[index % 3] ?? null;
    const item = newItem(id, { training: index % 4 === 0, person });
    const status = index % 9 === 1 ? 'failed' : 'done';
    await db
      .insertInto('items')
      .values({ ...item, status, created_at: hour(index) })
      .execute();
    if (index % 2 === 1) {
      const result = index % 5 === 0 ? 'NG' : 'OK';
      await db
        .insertInto('assessments')
        .values(newAssessment(id, 'm1', result))
        .execute();
    }
  }
}

describe.each(backendsHere)('a database of an earlier release on %s', (backend) => {
  it.each(schemas)('that ends with %s keeps its rows, and its lists are right after the upgrade', async (schema) => {
    const database = await openTestDatabase(backend, schema);
    try {
      const { db } = database;
      await fill(db);
      const rowsOf = () =>
        db.selectFrom('items').select(['seq', 'item_id', 'name', 'status', 'user_result']).orderBy('seq').execute();
      const before = await rowsOf();
      await migrate(db);
      expect(await rowsOf()).toEqual(before);
      const lists = createItemListStore(db);
      for (const filter of filters) {
        const found = await searchItems(db, filter, 0, COUNT);
        expect(found.total, JSON.stringify(filter)).toBeGreaterThan(0);
        expect(await lists.listItems(filter, 1, COUNT), JSON.stringify(filter)).toEqual(found);
      }
    } finally {
      await database.close();
    }
  });
});
