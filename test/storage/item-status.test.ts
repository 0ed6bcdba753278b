import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createItemStore } from '../../src/domains/items/item.store.ts';
import { createItemStatusStore, type PredictionEnd } from '../../src/domains/items/item-status.store.ts';
import { replaceAssessment } from '../../src/domains/prediction/assessment.store.ts';
import { say, statusView } from '../../src/messages/message.ts';
import { backendsHere, openTestDatabase, stopTestPostgres, type TestDatabase } from '../support/backends.ts';
import { newAssessment, newItem, newModel } from '../support/rows.ts';

afterAll(stopTestPostgres);

const done = { status: 'done' } as const;
const withdrawn = { status: 'withdrawn' } as const;
const failed = (text: string) => ({ status: 'failed', messages: [say('text', { text })] }) as const;

describe.each(backendsHere)('the status of an item on %s', (backend) => {
  let database: TestDatabase;
  let awaited: Set<string>;
  beforeEach(async () => {
    database = await openTestDatabase(backend);
    awaited = new Set();
    const { db } = database;
    for (const id of ['m1', 'm2']) await db.insertInto('models').values(newModel(id)).execute();
    const row = newItem('i', { training: false });
    await db.transaction().execute((trx) => createItemStore(db).insertItems(trx, [row], []));
  });
  afterEach(() => database.close());

  const ask = async (modelId: string): Promise<void> => {
    const { db } = database;
    awaited.add(modelId);
    await db.transaction().execute((trx) => createItemStatusStore(db).queueItems(trx, ['i'], modelId));
  };
  /** @returns whether it had to be asked for others. */
  const end = async (modelId: string, how: PredictionEnd): Promise<boolean> => {
    const { db } = database;
    let asked = false;
    awaited.delete(modelId);
    await db.transaction().execute(async (trx) => {
      const isAwaited = async (): Promise<boolean> => {
        asked = true;
        return awaited.size > 0;
      };
      await createItemStatusStore(db).endPrediction(trx, { itemId: 'i', modelId }, how, isAwaited);
      if (how.status === 'done') await replaceAssessment(trx, newAssessment('i', modelId, 'OK'), []);
    });
    return asked;
  };
  const status = async () => {
    const [item] = await createItemStore(database.db).findItems(['i']);
    return [item?.status, item && statusView(item.status_text).status_text];
  };

  it('is that of its one prediction, without a look at others', async () => {
    await ask('m1');
    expect(await status()).toEqual(['queued', null]);
    expect(await end('m1', done)).toBe(false);
    expect(await status()).toEqual(['done', null]);
    await ask('m2');
    expect(await end('m2', failed('blank'))).toBe(false);
    expect(await status()).toEqual(['failed', 'blank']);
    await ask('m2');
    await end('m2', withdrawn);
    expect(await status()).toEqual(['done', null]);
  });

  it('is under way until the last of several predictions has ended, in whichever order', async () => {
    for (const order of [
      ['m1', 'm2'],
      ['m2', 'm1'],
    ]) {
      await ask('m1');
      await createItemStatusStore(database.db).markProcessing('i');
      await ask('m2');
      for (const modelId of order) {
        expect((await status())[0]).toBe('queued');
        await end(modelId, done);
      }
      expect(await status()).toEqual(['done', null]);
    }
    await ask('m1');
    expect(await end('m1', done)).toBe(false);
  });

  it('is failed where the prediction that was asked for last failed, whenever it did', async () => {
    await ask('m1');
    await ask('m2');
    await end('m2', failed('blank'));
    expect((await status())[0]).toBe('queued');
    await end('m1', done);
    expect(await status()).toEqual(['failed', 'blank']);
    await ask('m2');
    await ask('m1');
    await end('m2', failed('blank'));
    await end('m1', done);
    expect(await status()).toEqual(['done', null]);
  });

  it('keeps what a person should know of a verdict, also where another prediction ends later', async () => {
    const blurred = { status: 'done', messages: [say('text', { text: 'not found' })] } as const;
    await ask('m1');
    await end('m1', blurred);
    expect(await status()).toEqual(['done', 'not found']);
    await ask('m1');
    expect(await status()).toEqual(['queued', null]);
    await ask('m2');
    await end('m2', blurred);
    await end('m1', done);
    expect(await status()).toEqual(['done', 'not found']);
    await ask('m1');
    await ask('m2');
    await end('m2', done);
    await end('m1', blurred);
    expect(await status()).toEqual(['done', 'not found']);
  });

  it('is what it was where the models of all predictions are gone, and stays failed when one goes later', async () => {
    await ask('m1');
    await ask('m2');
    for (const modelId of ['m1', 'm2']) await end(modelId, withdrawn);
    expect(await status()).toEqual(['pending', expect.stringContaining('model was deleted')]);
    await ask('m1');
    await end('m1', failed('blank'));
    await end('m2', withdrawn);
    expect(await status()).toEqual(['failed', 'blank']);
  });

  it('ends where two predictions end at the same moment', async () => {
    const { db } = database;
    for (let round = 0; round < 10; round++) {
      for (const modelId of ['m1', 'm2']) {
        await ask(modelId);
        await db.insertInto('settings').values({ key: modelId, value: 'open' }).execute();
      }
      const endAtOnce = (modelId: string) =>
        db.transaction().execute(async (trx) => {
          // Stands for its job, which ends in the same transaction.
          await trx.deleteFrom('settings').where('key', '=', modelId).execute();
          await createItemStatusStore(db).endPrediction(trx, { itemId: 'i', modelId }, done, async () => {
            const open = trx.selectFrom('settings').select('key').where('key', 'in', ['m1', 'm2']);
            return (await open.execute()).length > 0;
          });
        });
      await Promise.all(['m1', 'm2'].map(endAtOnce));
      expect(await status()).toEqual(['done', null]);
    }
  });
});
