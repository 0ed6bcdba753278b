import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import { assessItem, replaceAssessment } from '../../src/domains/prediction/assessment.store.ts';
import { backendsHere, openTestDatabase, stopTestPostgres, type TestDatabase } from '../support/backends.ts';
import { newItem, newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

const rounds = 60;
const region = { xMin: 0, xMax: 2, yMin: 0, yMax: 2, area: 4, rawScore: 1, anomalyScore: 0.5 };

describe.each(backendsHere)('the verdicts of an item on %s', (backend) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase(backend);
    const { db } = database;
    for (const id of ['m1', 'm2']) await db.insertInto('models').values(newModel(id)).execute();
    const row = newItem('i', { training: false });
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, [row], []));
  });
  afterEach(() => database.close());

  /** Each of the item's images shows as many regions as the round's number. */
  const assess = async (modelId: string, round: number, images: number): Promise<void> => {
    const verdict = {
      width: 9,
      height: 9,
      rawScore: 1,
      anomalyScore: 0.5,
      label: null,
      result: 'NG' as const,
      regions: Array.from({ length: round }, () => region),
      detectionAccuracy: 90,
      anomalyMap: Uint8Array.of(0),
    };
    const rows = assessItem(
      { itemId: 'i', modelId },
      Array.from({ length: images }, (_, position) => ({ position, blob: `p${position}`, verdict, durationMs: 1 })),
      String,
      { threshold: 0.5, predictedAt: 'now' },
    );
    await database.db.transaction().execute((trx) => replaceAssessment(trx, rows.assessment, rows.images.reverse()));
  };
  const read = async (modelId?: string) => {
    const items = createItemStore(database.db);
    const [details] = await items.getDetails(await items.findItems(['i']), modelId);
    return (details?.assessments ?? []).map(({ row, images }) => ({
      model: row.model_id,
      regions: row.detected_objects,
      ofImages: images.map(({ position, regions }) => [position, (JSON.parse(regions) as unknown[]).length]),
    }));
  };

  it('are the latest of each model, the newest first, with what they say of each image', async () => {
    await assess('m1', 1, 2);
    await assess('m2', 2, 1);
    const ofM2 = { model: 'm2', regions: 2, ofImages: [[0, 2]] };
    const ofM1 = (round: number) => ({ model: 'm1', regions: 2 * round, ofImages: [0, 1].map((at) => [at, round]) });
    expect(await read()).toEqual([ofM2, ofM1(1)]);
    await assess('m1', 3, 2);
    expect(await read()).toEqual([ofM1(3), ofM2]);
    expect(await read('m2')).toEqual([ofM2]);
  });

  it('are read whole while they are replaced', async () => {
    await assess('m1', 0, 2);
    const seen: Awaited<ReturnType<typeof read>> = [];
    let replaced = false;
    const replaceAll = async (): Promise<void> => {
      for (let round = 1; round <= rounds; round++) await assess('m1', round, 2);
      replaced = true;
    };
    const readAll = async (): Promise<void> => {
      while (!replaced) seen.push(...(await read()));
    };
    await Promise.all([replaceAll(), readAll()]);
    expect(seen.length).toBeGreaterThan(1);
    for (const { regions, ofImages } of seen) expect(ofImages).toEqual([0, 1].map((at) => [at, regions / 2]));
  });
});
