import fc from 'fast-check';
import { type Insertable, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chunks, createItemStore } from '../../src/domains/items/item.store.ts';
import { createItemListStore, type ItemFilter, searchItems } from '../../src/domains/items/item-list.store.ts';
import { createItemStatusStore } from '../../src/domains/items/item-status.store.ts';
import { searchByName } from '../../src/domains/items/name-search.store.ts';
import { createModelStore } from '../../src/domains/models/model.store.ts';
import { createAssessmentStore } from '../../src/domains/prediction/assessment.store.ts';
import { createStatusStore } from '../../src/domains/system/status.store.ts';
import type { Db } from '../../src/storage/database.ts';
import type { ItemImagesTable } from '../../src/storage/tables/items.table.ts';
import { backendsHere, openTestDatabase, stopTestPostgres, type TestDatabase } from '../support/backends.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

const modelIds = ['m0', 'm1', 'm2'];
const verdict = fc.constantFrom('OK' as const, 'NG' as const);
const model = fc.constantFrom(...modelIds);
const place = fc.nat({ max: 40 });
/** What happens to a service, in any order. */
const event = fc.oneof(
  fc.record({
    add: fc.array(fc.record({ training: fc.boolean(), person: fc.option(verdict), hour: fc.nat({ max: 9 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  fc.record({ assess: place, model, result: verdict }),
  fc.record({ judge: place, result: verdict }),
  fc.record({ remove: fc.array(place, { minLength: 1, maxLength: 3 }) }),
  fc.record({ removeModel: model }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const hour = (number: number): string => new Date(Date.UTC(2026, 0, 1, number)).toISOString();

const narrowed: Partial<ItemFilter>[] = [
  { name: 'ITEM ' },
  { name: '1' },
  { name: 'em 2' },
  { name: '%' },
  { from: hour(3), until: hour(7) },
  { until: hour(5), name: 'item' },
];

const filters: ItemFilter[] = (['prediction', 'training'] as const).flatMap((item_type) =>
  [undefined, 'm0', 'm1'].flatMap((model_id) =>
    [undefined, 'OK' as const, 'NG' as const].flatMap((result) =>
      [undefined, 'OK' as const, 'none' as const].flatMap((user_result) =>
        [undefined, true, false].map((disagrees) =>
          JSON.parse(JSON.stringify({ item_type, model_id, result, user_result, disagrees })),
        ),
      ),
    ),
  ),
);
const narrowedFilters: ItemFilter[] = narrowed.flatMap((narrow) =>
  [undefined, 'm0'].flatMap((model_id) =>
    [undefined, 'OK' as const].map((result) =>
      JSON.parse(JSON.stringify({ item_type: 'prediction', model_id, result, ...narrow })),
    ),
  ),
);

describe.each(backendsHere)('lists of items on %s', (backend) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase(backend);
  });
  afterEach(() => database.close());

  it('are those that a search through all items finds, whatever happened before', async () => {
    const { db } = database;
    const run = async (events: readonly Event[]): Promise<void> => {
      await clear(db);
      for (const one of events) await apply(db, one);
      const lists = createItemListStore(db);
      for (const filter of [...filters, ...narrowedFilters]) {
        const all = await searchItems(db, filter, 0, 1000);
        expect(await lists.listItems(filter, 1, 200), JSON.stringify(filter)).toEqual(all);
        const third = await lists.listItems(filter, 3, 2);
        expect(third).toEqual({ items: all.items.slice(4, 6), total: all.total });
      }
      await expectVerdictsCounted(db);
      await expectStoredCounted(db);
    };
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 30 }), run), {
      numRuns: backend === 'sqlite' ? 8 : 3,
      seed: 5,
    });
  });

  it('are right across stretches of the counts, at the first page and at the last', async () => {
    const { db } = database;
    await clear(db);
    const rows = Array.from({ length: 9000 }, (_, index) => ({
      ...newItem(`i${index}`, { training: index % 3 === 0 }),
      seq: firstSeq + index,
    }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    await db.deleteFrom('items').where('seq', '>', 15_300).where('seq', '<', 17_300).execute();
    for (const item_type of ['training', 'prediction'] as const) {
      const { total } = await searchItems(db, { item_type }, 0, 1);
      for (const page of [1, 2, 33, 34, Math.ceil(total / 50), Math.ceil(total / 50) + 1]) {
        const list = await createItemListStore(db).listItems({ item_type }, page, 50);
        expect(list).toEqual(await searchItems(db, { item_type }, (page - 1) * 50, 50));
      }
    }
  });

  it('of a stretch of time hold what came in it, also where the clock was set back', async () => {
    const { db } = database;
    await clear(db);
    const at = hour;
    const rows = [1, 2, 3, 9, 10, 4, 5, 6, 6, 7].map((one, index) => ({
      ...newItem(`t${index}`, { training: index === 1 }),
      created_at: at(one),
    }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    const list = async (filter: Partial<ItemFilter>, page = 1) => {
      const { items, total } = await createItemListStore(db).listItems({ item_type: 'prediction', ...filter }, page, 3);
      return [total, ...items.map((item) => item.item_id)];
    };
    expect(await list({ from: at(3), until: at(7) })).toEqual([5, 't8', 't7', 't6']);
    expect(await list({ from: at(3), until: at(7) }, 2)).toEqual([5, 't5', 't2']);
    expect(await list({ from: at(7) })).toEqual([3, 't9', 't4', 't3']);
    expect(await list({ until: at(4) })).toEqual([2, 't2', 't0']);
  });

  it('of a stretch of time are right across stretches of the counts, wherever its ends cut them', async () => {
    const { db } = database;
    await fill(db, second);
    for (const model_id of [undefined, 'm0']) {
      const total = await expectPages(db, model_id, [1, 2, 5, 7, 32, 48, 59, 87, 89, 130]);
      expect(total).toBe(model_id === undefined ? 7500 : 5000);
    }
  });

  it('of a stretch of time leave out whole stretches of the counts, where the clock was set back', async () => {
    const { db } = database;
    // Items 16,384 to 18,431.
    await fill(db, (index) => second(index >= 4095 && index < 6143 ? 0 : index));
    for (const model_id of [undefined, 'm0']) {
      const total = await expectPages(db, model_id, [1, 7, 31, 32, 33, 47, 48, 49]);
      expect(total).toBe(model_id === undefined ? 5452 : 3635);
      const named = { item_type: 'prediction', name: 's6', ...(model_id && { model_id }), ...time } as const;
      const { items, searchedSince } = await createItemListStore(db).listItems(named, 1, 500);
      expect(searchedSince).toBe(undefined);
      expect(items).toEqual((await searchItems(db, named, 0, 500)).items);
    }
  });

  // Each item in a small bucket of its own; 32, 2 or 1 in a large one.
  it.each([512, 8192, 16_384])(
    'of a stretch of time are right where the clock went to and fro, items %i apart',
    async (apart) => {
      const { db } = database;
      await clear(db);
      const rows = Array.from({ length: 250 }, (_, index) => ({
        ...newItem(`f${index}`, { training: false }),
        seq: index * apart + 1,
        created_at: second(index % 4 < 3 ? 2000 : 0),
      }));
      await db.transaction().execute(async (trx) => {
        await createItemStore(db).insertItems(trx, rows, []);
        const judged = rows.map((row) => newAssessment(row.item_id, 'm0', 'OK'));
        await trx.insertInto('assessments').values(judged).execute();
      });
      for (const model_id of [undefined, 'm0']) expect(await expectPages(db, model_id, [1, 2])).toBe(188);
    },
  );

  it('of a name go on where a search ended, until nothing is left', async () => {
    const { db } = database;
    await clear(db);
    const rows = Array.from({ length: 9000 }, (_, index) => ({
      ...newItem(`n${index}`, { training: false }),
      seq: firstSeq + index,
      name: `Tür ${index % 100 < 40 ? 'LOT-7' : 'lot-8'} ${index}_`,
      created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    await db.updateTable('items').set({ name: 'renamed' }).where('item_id', 'in', ['n4000', 'n4001']).execute();
    const list = { modelId: undefined, facets: [0], from: undefined };
    for (const name of ['lot-7', 'T-7 8', 'ür', '7', '8_', 'renamed', 'no such', '%', '_']) {
      const expected = await searchItems(db, { item_type: 'prediction', name }, 0, 10_000);
      const found = new Set<number>();
      let until: string | undefined;
      let searches = 0;
      do {
        const page = await searchByName(db, { ...list, until }, name, 0, 10_000, 1000);
        expect(page.total).toBe(page.items.length);
        for (const { seq } of page.items) found.add(seq);
        until = page.searchedSince;
        searches++;
      } while (until !== undefined && searches < 12);
      expect([...found], name).toEqual(expected.items.map(({ seq }) => seq));
      expect(searches, name).toBeLessThan(12);
    }
    const tenth = await searchByName(db, { ...list, until: undefined }, 'lot-7 80', 20, 10, 5000);
    const all = await searchItems(db, { item_type: 'prediction', name: 'lot-7 80' }, 20, 10);
    expect(tenth).toEqual(all);
    expect(await searchByName(db, { ...list, until: undefined }, 'lot-7 80', 1000, 10)).toEqual({
      items: [],
      total: all.total,
    });
  });

  it('of what failed or is under way hold that alone, newest first', async () => {
    const { db } = database;
    await clear(db);
    const items = createItemStore(db);
    const rows = Array.from({ length: 9 }, (_, index) => newItem(`i${index}`, { training: false }));
    await db.transaction().execute((trx) => items.insertItems(trx, rows, []));
    const statuses = createItemStatusStore(db);
    await db.transaction().execute(async (trx) => {
      for (const itemId of ['i2', 'i5', 'i7']) {
        const end = { status: 'failed', text: 'no such model' } as const;
        await statuses.endPrediction(trx, { itemId, modelId: 'm1' }, end, async () => false);
      }
      await statuses.queueItems(trx, ['i3'], 'm1');
    });
    const list = createItemListStore(db);
    const page = await list.listItems({ item_type: 'prediction', status: 'failed' }, 1, 2);
    expect(page.total).toBe(3);
    expect(page.items.map((item) => item.item_id)).toEqual(['i7', 'i5']);
    const named = await list.listItems({ item_type: 'prediction', status: 'failed', name: 'i2' }, 1, 2);
    expect(named.items.map((item) => item.item_id)).toEqual(['i2']);
    expect((await list.listItems({ item_type: 'prediction', status: 'queued' }, 1, 2)).total).toBe(1);
    expect((await list.listItems({ item_type: 'training', status: 'failed' }, 1, 2)).total).toBe(0);
  });

  it('have images whose number and size are kept, also when many upload and delete at the same time', async () => {
    const { db } = database;
    await clear(db);
    const items = createItemStore(db);
    const names = Array.from({ length: 120 }, (_, index) => `many-${index}`);
    await Promise.all(
      names.map((name) =>
        db.transaction().execute((trx) => {
          const row = newItem(name, { training: false });
          return items.insertItems(
            trx,
            [row],
            [imageOf(row), { ...imageOf(row), position: 1, file_size: 2 ** 31 - 1 }],
          );
        }),
      ),
    );
    await expectStoredCounted(db);
    expect((await createStatusStore(db).countStored()).imageBytes).toBeGreaterThan(120 * 2 ** 30);
    await Promise.all(
      names.slice(0, 50).map((name) => db.transaction().execute((trx) => items.deleteItems(trx, [name]))),
    );
    await expectStoredCounted(db);
    // Bounded: what many have added is added together now and then.
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from image_totals`.execute(db);
    expect(Number(rows[0]?.count)).toBeLessThan(100);
  });

  it('count what was stored at the same time by many', async () => {
    const { db } = database;
    await clear(db);
    const items = createItemStore(db);
    await db.transaction().execute((trx) =>
      items.insertItems(
        trx,
        Array.from({ length: 20 }, (_, index) => newItem(`i${index}`, { training: false })),
        [],
      ),
    );
    const assess = (index: number) =>
      db.transaction().execute(async (trx) => {
        const result = index % 3 === 0 ? 'NG' : 'OK';
        const assessment = newAssessment(`i${index % 20}`, modelIds[index % 3] ?? '', result);
        const prediction = { itemId: assessment.item_id, modelId: assessment.model_id };
        await createItemStatusStore(db).endPrediction(trx, prediction, { status: 'done' }, async () => false);
        await createAssessmentStore().replaceAssessment(trx, assessment, []);
      });
    const judge = (index: number) =>
      db
        .transaction()
        .execute((trx) =>
          items.setUserVerdict(trx, `i${index % 20}`, { result: index % 2 ? 'OK' : 'NG', label: '', at: '' }),
        );
    await Promise.all(Array.from({ length: 120 }, (_, index) => (index % 4 === 0 ? judge(index) : assess(index))));
    const lists = createItemListStore(db);
    for (const filter of filters) {
      expect(await lists.listItems(filter, 1, 200), JSON.stringify(filter)).toEqual(
        await searchItems(db, filter, 0, 200),
      );
    }
    await expectVerdictsCounted(db);
  });
});

const second = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
const time = { from: second(1000), until: second(8500) };

/** The first of a small bucket; 9,000 items from here on are in two large ones. */
const firstSeq = 12_289;

/** Two in three are judged. */
async function fill(db: Db, timeOf: (index: number) => string): Promise<void> {
  await clear(db);
  const rows = Array.from({ length: 9000 }, (_, index) => ({
    ...newItem(`s${index}`, { training: false }),
    seq: firstSeq + index,
    created_at: timeOf(index),
  }));
  const judged = rows.filter((_, index) => index % 3 > 0).map((row) => newAssessment(row.item_id, 'm0', 'OK'));
  await db.transaction().execute(async (trx) => {
    await createItemStore(db).insertItems(trx, rows, []);
    for (const part of chunks(judged)) await trx.insertInto('assessments').values(part).execute();
  });
}

/** Of 50 items each, and the last two, and one after. @returns how many items there are. */
async function expectPages(db: Db, model_id: string | undefined, pages: readonly number[]): Promise<number> {
  const filter: ItemFilter = { item_type: 'prediction', ...(model_id && { model_id }), ...time };
  const { total } = await searchItems(db, filter, 0, 1);
  const last = Math.ceil(total / 50);
  for (const page of [...pages, last - 1, last, last + 1]) {
    const list = await createItemListStore(db).listItems(filter, page, 50);
    expect(list, `page ${page}`).toEqual(await searchItems(db, filter, (page - 1) * 50, 50));
  }
  return total;
}

async function clear(db: Db): Promise<void> {
  for (const table of ['assessments', 'item_images', 'items', 'models'] as const) await db.deleteFrom(table).execute();
  for (const model_id of modelIds) await db.insertInto('models').values(newModel(model_id)).execute();
}

let made = 0;

const imageOf = ({ item_id }: { item_id: string }): Insertable<ItemImagesTable> => ({
  ...{ item_id, position: 0, name: 'top', blob: item_id, format: 'png', width: 8, height: 8 },
  file_size: 1000 + item_id.length,
});

async function expectStoredCounted(db: Db): Promise<void> {
  const images = await db.selectFrom('item_images').select('file_size').execute();
  const items = await db.selectFrom('items').select('seq').execute();
  expect(await createStatusStore(db).countStored()).toEqual({
    items: items.length,
    images: images.length,
    imageBytes: images.reduce((sum, image) => sum + image.file_size, 0),
    models: modelIds.length,
  });
}

async function apply(db: Db, one: Event): Promise<void> {
  const items = createItemStore(db);
  const known = (await db.selectFrom('items').select('item_id').orderBy('seq').execute()).map((row) => row.item_id);
  const at = (index: number): string => known[index % known.length] ?? 'nobody';
  await db.transaction().execute(async (trx) => {
    if ('add' in one) {
      const rows = one.add.map(({ hour: at, ...kind }) => ({
        ...newItem(`item ${made++}`, kind),
        created_at: hour(at),
      }));
      return items.insertItems(trx, rows, rows.map(imageOf));
    }
    if ('removeModel' in one) {
      const models = createModelStore(db);
      await models.deleteModel(trx, one.removeModel);
      return models.insertModel(trx, newModel(one.removeModel), []);
    }
    if (known.length === 0) return;
    if ('assess' in one) {
      return createAssessmentStore().replaceAssessment(trx, newAssessment(at(one.assess), one.model, one.result), []);
    }
    if ('judge' in one) return items.setUserVerdict(trx, at(one.judge), { result: one.result, label: '', at: '' });
    await items.deleteItems(trx, [...new Set(one.remove.map(at))]);
  });
}

async function expectVerdictsCounted(db: Db): Promise<void> {
  const counted = await createModelStore(db).countVerdicts(modelIds);
  const rows = await db
    .selectFrom('assessments')
    .innerJoin('items', 'items.item_id', 'assessments.item_id')
    .select(['model_id', 'result', 'items.user_result'])
    .where('is_training', '=', 0)
    .execute();
  for (const modelId of modelIds) {
    const count = (result: string, person: string): number =>
      rows.filter((row) => row.model_id === modelId && row.result === result && row.user_result === person).length;
    expect(counted.get(modelId)).toEqual({
      truePositives: count('NG', 'NG'),
      falsePositives: count('NG', 'OK'),
      trueNegatives: count('OK', 'OK'),
      falseNegatives: count('OK', 'NG'),
    });
  }
}
