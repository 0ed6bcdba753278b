import fc from 'fast-check';
import { type Insertable, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import { conditionOf, type ItemFilter } from '../../src/domains/items/item-conditions.store.ts';
import { createItemListStore, type PageRequest } from '../../src/domains/items/item-list.store.ts';
import { createItemStatusStore } from '../../src/domains/items/item-status.store.ts';
import { createModelStore } from '../../src/domains/models/model.store.ts';
import { replaceAssessment } from '../../src/domains/prediction/assessment.store.ts';
import { createFiguresStore } from '../../src/domains/system/figures.store.ts';
import type { Db, ItemImagesTable } from '../../src/storage/database.ts';
import { backendsHere, openTestDatabase, stopTestPostgres, type TestDatabase } from '../support/backends.ts';
import { findListed } from '../support/listed-items.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

const modelIds = ['m0', 'm1', 'm2'];
const verdict = fc.constantFrom('OK' as const, 'NG' as const);
const model = fc.constantFrom(...modelIds);
const place = fc.nat({ max: 40 });
/** What happens to a service, in any order. */
const event = fc.oneof(
  fc.record({
    add: fc.array(
      fc.record({
        training: fc.boolean(),
        person: fc.option(verdict),
        hour: fc.nat({ max: 9 }),
        target_id: fc.constantFrom(1, 2),
      }),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
  }),
  fc.record({ assess: place, model, result: verdict, score: fc.nat({ max: 9 }) }),
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
  { serial: 'S1' },
  { lot: 'L 0', from: hour(2) },
  { station_id: 'st"1' },
  { field: 'shift=2' },
  { field: 'shift=a"b=\\' },
  { field: 'SHIFT=2' },
  { target_id: 1 },
  { target_id: 2, name: 'item ' },
  { target_id: 1, user_result: 'none', from: hour(3) },
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

  it('are those that a look at every row finds, by number and by `after`, whatever happened before', async () => {
    const { db } = database;
    const run = async (events: readonly Event[]): Promise<void> => {
      await clear(db);
      for (const one of events) await apply(db, one);
      const lists = createItemListStore(db);
      for (const filter of [...filters, ...narrowedFilters]) {
        const expected = await findListed(db, filter);
        const all = await lists.listItems(filter, { count: 200 });
        expect(all, JSON.stringify(filter)).toEqual({ items: expected, total: expected.length });
        const third = await lists.listItems(filter, { count: 2, page: 3 });
        expect(third).toMatchObject({ items: expected.slice(4, 6), total: expected.length });
        expect(await readByAfter(db, filter, 3)).toEqual(expected.map(({ seq }) => seq));
      }
      for (const filter of [...filters, ...narrowedFilters].filter(isOfScores)) {
        for (const sort of ['score', 'nearness'] as const) {
          const expected = await findSorted(db, filter, sort);
          const request = { sort, threshold: 0.5 };
          const all = await lists.listItems(filter, { ...request, count: 200 });
          expect(all, JSON.stringify({ ...filter, sort })).toEqual({ items: expected, total: expected.length });
          const third = await lists.listItems(filter, { ...request, count: 2, page: 3 });
          expect(third).toMatchObject({ items: expected.slice(4, 6), total: expected.length });
          expect(await readByAfter(db, filter, 3, request)).toEqual(expected.map(({ seq }) => seq));
        }
      }
      for (const targetId of [1, 2]) {
        const ofTarget = await db.selectFrom('items').select('seq').where('target_id', '=', targetId).execute();
        const counts = await createFiguresStore(db).countKinds(targetId);
        expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(ofTarget.length);
      }
      await expectVerdictsCounted(db);
      await expectStoredCounted(db);
    };
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 30 }), run), {
      numRuns: backend === 'sqlite' ? 8 : 3,
      seed: 5,
    });
  });

  it('by scores are the same on pages far from the first one', async () => {
    const { db } = database;
    await clear(db);
    const rows = Array.from({ length: 1700 }, (_, index) => newItem(`f${index}`, { training: false }));
    await db.transaction().execute(async (trx) => {
      await createItemStore(db).insertItems(trx, rows, []);
      for (const [index, { item_id }] of rows.entries()) {
        // Some scores occur more than once, and some lie as far above a threshold as others below.
        const anomaly_score = (((index * 7919) % 1500) / 1500).toFixed(index % 3 === 0 ? 2 : 6).padEnd(8, '0');
        await replaceAssessment(trx, { ...newAssessment(item_id, 'm0', 'OK'), anomaly_score }, []);
      }
    });
    const lists = createItemListStore(db);
    const filter: ItemFilter = { item_type: 'prediction', model_id: 'm0' };
    for (const [sort, threshold] of [
      ['score', 0.5],
      ['nearness', 0.5],
      ['nearness', 0.07],
      ['nearness', 0.433_219_18],
      ['nearness', 1],
    ] as const) {
      const expected = (await findSorted(db, filter, sort, threshold)).map(({ seq }) => seq);
      for (const page of [1, 6, 7, 9, 12, 15, 17]) {
        const { items, total } = await lists.listItems(filter, { sort, threshold, count: 100, page });
        const seqs = items.map(({ seq }) => seq);
        expect(seqs, `${sort} ${threshold} ${page}`).toEqual(expected.slice((page - 1) * 100, page * 100));
        expect(total).toBe(1700);
      }
    }
  });

  it('of a stretch of time hold what came in it, and what came in between where the clock was set back', async () => {
    const { db } = database;
    await clear(db);
    const rows = [1, 2, 3, 9, 10, 4, 5, 6, 6, 7].map((one, index) => ({
      ...newItem(`t${index}`, { training: index === 1 }),
      created_at: hour(one),
    }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    const list = async (filter: Partial<ItemFilter>, page = 1) => {
      const { items, total } = await createItemListStore(db).listItems(
        { item_type: 'prediction', ...filter },
        { page, count: 3 },
      );
      return [total, ...items.map((item) => item.item_id)];
    };
    expect(await list({ from: hour(4), until: hour(7) })).toEqual([4, 't8', 't7', 't6']);
    expect(await list({ from: hour(3), until: hour(7) })).toEqual([7, 't8', 't7', 't6']);
    expect(await list({ from: hour(3), until: hour(7) }, 2)).toEqual([7, 't5', 't4', 't3']);
    expect(await list({ from: hour(7) })).toEqual([1, 't9']);
    expect(await list({ until: hour(3) })).toEqual([1, 't0']);
    expect(await list({ from: hour(11) })).toEqual([0]);
    expect(await list({ until: hour(1) })).toEqual([0]);
    expect(await list({ from: '2026-01-01T13:00:00+09:00', until: hour(7) })).toEqual([4, 't8', 't7', 't6']);
  });

  it('find a part of a name in any case, beyond ASCII and however short it is', async () => {
    const { db } = database;
    await clear(db);
    const names = [
      'Ärger',
      'ÄRGER 2',
      'ｍotor',
      'Ｍotor 2',
      'MOTOR 3',
      'Straße',
      'ΟΔΟΣ1',
      'οδός',
      '検査部品',
      'a"b',
      '50%_\\x',
      'z',
    ];
    const rows = names.map((name, index) => ({ ...newItem(`n${index}`, { training: false }), name }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    await expectNames(db, { ä: ['Ärger', 'ÄRGER 2'], Ä: ['Ärger', 'ÄRGER 2'], äRG: ['Ärger', 'ÄRGER 2'] });
    await expectNames(db, { ｍ: ['ｍotor', 'Ｍotor 2', 'MOTOR 3'], Ｍｏｔ: ['ｍotor', 'Ｍotor 2', 'MOTOR 3'] });
    await expectNames(db, {
      STRASSE: ['Straße'],
      ß: ['Straße'],
      οδοσ: ['ΟΔΟΣ1'],
      部品: ['検査部品'],
      品: ['検査部品'],
    });
    await expectNames(db, { '"': ['a"b'], '%': ['50%_\\x'], '_\\X': ['50%_\\x'], Z: ['z'], zz: [] });
  });

  it('of a name go on where a search ended, by `after` and by `until`, until nothing is left', async () => {
    const { db } = database;
    await clear(db);
    // On SQLite more than a search without the index compares.
    const rows = Array.from({ length: backend === 'sqlite' ? 54_000 : 24_000 }, (_, index) => ({
      ...newItem(`n${index}`, { training: index % 50 === 7 }),
      name: `Tür ${index % 100 < 40 ? 'LOT-7' : index < 12_000 ? 'lot-8' : 'lot-9'} ${index}_ ${index < 3 ? 'ür!' : ''}`,
      created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    }));
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, rows, []));
    await db
      .insertInto('assessments')
      .values(newAssessment('n9', 'm0', 'NG'))
      .execute();
    const lists = createItemListStore(db);
    // Common, found by the index alone, in old items only, short and rare, nowhere.
    for (const name of ['lot-7', '7 8_', 'LOT-8', '!', 'no such', '_']) {
      for (const item_type of ['prediction', 'training'] as const) {
        const filter: ItemFilter = { item_type, name };
        const expected = (await findListed(db, filter)).map(({ seq }) => seq);
        expect(await readByAfter(db, filter, 1000), name).toEqual(expected);
        const found = new Set<number>();
        let until: string | undefined;
        do {
          const page = await lists.listItems({ ...filter, ...(until && { until }) }, { count: 10_000 });
          expect(page.total).toBe(page.items.length);
          for (const { seq } of page.items) found.add(seq);
          until = page.searchedSince;
        } while (until !== undefined);
        expect([...found], name).toEqual(expected);
      }
    }
    const rare = await lists.listItems({ item_type: 'prediction', name: '7 8_' }, { count: 20 });
    expect(rare).not.toHaveProperty('searchedSince');
    const judged = await lists.listItems({ item_type: 'prediction', name: 'LOT-7', model_id: 'm0' }, { count: 20 });
    expect(judged).toMatchObject({ total: 1, items: [{ item_id: 'n9' }] });
    expect(judged).not.toHaveProperty('searchedSince');
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
        const end = { status: 'failed', messages: [] } as const;
        await statuses.endPrediction(trx, { itemId, modelId: 'm1' }, end, async () => false);
      }
      await statuses.queueItems(trx, ['i3'], 'm1');
    });
    const list = createItemListStore(db);
    const page = await list.listItems({ item_type: 'prediction', status: 'failed' }, { count: 2 });
    expect(page.total).toBe(3);
    expect(page.items.map((item) => item.item_id)).toEqual(['i7', 'i5']);
    const named = await list.listItems({ item_type: 'prediction', status: 'failed', name: 'i2' }, { count: 2 });
    expect(named.items.map((item) => item.item_id)).toEqual(['i2']);
    expect((await list.listItems({ item_type: 'prediction', status: 'queued' }, { count: 2 })).total).toBe(1);
    expect((await list.listItems({ item_type: 'training', status: 'failed' }, { count: 2 })).total).toBe(0);
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
    expect((await createFiguresStore(db).countStored()).image_bytes).toBeGreaterThan(120 * 2 ** 30);
    await Promise.all(
      names.slice(0, 50).map((name) => db.transaction().execute((trx) => items.deleteItems(trx, [name]))),
    );
    await expectStoredCounted(db);
    // Bounded: what many have added is added together now and then.
    const { rows } = await sql<{
      count: number | string;
    }>`select count(*) as count from counts where scope = 'images'`.execute(db);
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
        await replaceAssessment(trx, assessment, []);
      });
    const judge = (index: number) =>
      db
        .transaction()
        .execute((trx) => items.updateItems(trx, [`i${index % 20}`], { user_result: index % 2 ? 'OK' : 'NG' }));
    await Promise.all(Array.from({ length: 120 }, (_, index) => (index % 4 === 0 ? judge(index) : assess(index))));
    const lists = createItemListStore(db);
    for (const filter of filters) {
      const items = await findListed(db, filter);
      expect(await lists.listItems(filter, { count: 200 }), JSON.stringify(filter)).toEqual({
        items,
        total: items.length,
      });
    }
    await expectVerdictsCounted(db);
  });
});

/** The order numbers of a whole list, read page by page. */
async function readByAfter(
  db: Db,
  filter: ItemFilter,
  count: number,
  order: Pick<PageRequest, 'sort' | 'threshold'> = {},
): Promise<number[]> {
  const seqs: number[] = [];
  let after: string | undefined;
  do {
    const page = await createItemListStore(db).listItems(filter, { ...order, count, after });
    seqs.push(...page.items.map(({ seq }) => seq));
    after = page.next;
  } while (after !== undefined);
  return seqs;
}

/** Scores are those of one model, and of items that are not for training. */
const isOfScores = (filter: ItemFilter): boolean => filter.model_id !== undefined && filter.item_type === 'prediction';

/** What a list that is sorted by scores must hold, in its order. */
async function findSorted(db: Db, filter: ItemFilter, sort: 'score' | 'nearness', threshold = 0.5) {
  const found = await findListed(db, filter);
  const rows = await db
    .selectFrom('assessments')
    .selectAll()
    .where('model_id', '=', filter.model_id ?? '')
    .execute();
  const scores = new Map(rows.map((row) => [row.item_id, Number(row.anomaly_score)]));
  const scoreOf = (item: { item_id: string }): number => scores.get(item.item_id) ?? Number.NaN;
  const rank = (score: number): number => (sort === 'score' ? -score : Math.abs(score - threshold));
  return found.sort((one, other) => rank(scoreOf(one)) - rank(scoreOf(other)) || other.seq - one.seq);
}

async function expectNames(db: Db, expected: Record<string, string[]>): Promise<void> {
  for (const [name, names] of Object.entries(expected)) {
    const page = await createItemListStore(db).listItems({ item_type: 'prediction', name }, { count: 20 });
    expect(page.items.map((item) => item.name).reverse(), name).toEqual(names);
  }
}

async function clear(db: Db): Promise<void> {
  for (const table of ['assessments', 'item_images', 'items', 'models'] as const) await db.deleteFrom(table).execute();
  for (const model_id of modelIds) await db.insertInto('models').values(newModel(model_id)).execute();
}

/** Some are equally far from 0.5. */
const scores = [
  '0.000000',
  '0.100000',
  '0.400000',
  '0.499999',
  '0.500000',
  '0.500001',
  '0.600000',
  '0.900000',
  '1.000000',
];
let made = 0;

const imageOf = ({ item_id }: { item_id: string }): Insertable<ItemImagesTable> => ({
  item_id,
  position: 0,
  name: 'top',
  blob: item_id,
  format: 'png',
  width: 8,
  height: 8,
  file_size: 1000 + item_id.length,
});

async function expectStoredCounted(db: Db): Promise<void> {
  const images = await db.selectFrom('item_images').select('file_size').execute();
  const items = await db.selectFrom('items').select('seq').execute();
  expect(await createFiguresStore(db).countStored()).toEqual({
    items: items.length,
    images: images.length,
    image_bytes: images.reduce((sum, image) => sum + image.file_size, 0),
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
        ...(at < 2 ? {} : { serial: `S${at % 3}`, lot: `L ${at % 2}`, station_id: `st"${at % 2}` }),
        fields: at < 4 ? null : JSON.stringify({ 'last shift': '2', shift: at % 2 === 0 ? '2' : 'a"b=\\' }),
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
      const anomaly_score = scores[one.score] ?? '0.500000';
      return replaceAssessment(trx, { ...newAssessment(at(one.assess), one.model, one.result), anomaly_score }, []);
    }
    if ('judge' in one) return items.updateItems(trx, [at(one.judge)], { user_result: one.result });
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

it.each(['queued', 'processing', 'failed'] as const)(
  'SQLite finds items that are %s by their index',
  async (status) => {
    const { db, close } = await openTestDatabase('sqlite');
    const listed = sql`select seq from items where ${conditionOf({ item_type: 'prediction', status })}`;
    const plan = await sql<{ detail: string }>`explain query plan ${listed} order by seq desc limit 51`.execute(db);
    expect(plan.rows.map(({ detail }) => detail)).toEqual([expect.stringContaining('items_in_progress (status=?')]);
    await close();
  },
);
