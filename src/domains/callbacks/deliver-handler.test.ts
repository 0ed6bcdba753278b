import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCallbackReceiver } from '../../../test/support/callback-receiver.ts';
import { openAudit } from '../../../test/support/open-accounts.ts';
import { newModel } from '../../../test/support/rows.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { EmbeddedQueue } from '../../jobs/engines/embedded.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handlers.ts';
import { readMessages, say, storeMessages } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import { createSignedUrls } from '../files/signed-urls.ts';
import { createItemView } from '../items/item-view.ts';
import { createModelStore } from '../models/model.store.ts';
import { createModelView } from '../models/model-view.ts';
import { createModelsService } from '../models/models.service.ts';
import { createDeliverHandler } from './deliver-handler.ts';
import { createDeliveryStore } from './delivery.store.ts';
import { createHostSlots } from './host-slots.ts';
import { createCallbackSender } from './send-callback.ts';

let db: Db;
let close: () => Promise<void>;
let handler: JobHandler<'deliver'>;
const slots = createHostSlots({ perHost: 1 });

beforeAll(async () => {
  ({ db, close } = await openTemporaryDatabase());
  const queue = new EmbeddedQueue({
    db,
    log: pino({ level: 'silent' }),
    concurrency: { compute: 1, training: 1, io: 1 },
  });
  const urls = createSignedUrls({ secret: new Uint8Array(32), origin: '', now: Date.now });
  const models = createModelsService({
    ...{ db, queue, audit: openAudit(db) },
    store: createModelStore(db),
    view: createModelView(urls),
    requireImages: async () => {},
  });
  handler = createDeliverHandler({
    ...{ models, queue, slots },
    store: createDeliveryStore(db),
    sender: createCallbackSender({ networks: 'private', timeoutMs: 500 }),
    view: createItemView(urls),
    secretOf: () => 'whsec_c2VjcmV0',
    findStation: async () => undefined,
  });
  // Nothing listens on the discard port.
  await db
    .insertInto('models')
    .values({ ...newModel('m'), callback_url: 'http://127.0.0.1:9/hook' })
    .execute();
});
afterAll(() => close());

const context: JobContext = {
  attempt: 1,
  signal: new AbortController().signal,
  completeWith: (write) => db.transaction().execute(write),
};
const item = { item_id: 'i', name: 'i', status: 'done', active: 1, is_training: 0, user_result: null, created_at: '' };
const snapshot = { item, images: [], annotations: [], assessments: [] };

async function insert(delivery_id: string, model_id: string, callback_url?: string): Promise<void> {
  const empty = { last_status: null, last_error: null, last_tried_at: null, next_try_at: null };
  const kept = JSON.stringify({ ...snapshot, callback_url });
  const row = {
    delivery_id,
    model_id,
    item_id: 'i',
    status: 'pending' as const,
    attempts: 0,
    snapshot: kept,
    ...empty,
  };
  await db
    .insertInto('deliveries')
    .values({ ...row, created_at: '2026-11-21T00:00:00.000Z' })
    .execute();
}
const find = (id: string) => db.selectFrom('deliveries').selectAll().where('delivery_id', '=', id).executeTakeFirst();
const jobs = () => db.selectFrom('jobs').selectAll().where('kind', '=', 'deliver').execute();

it('tries eight times, four times longer apart each time, within a day, and then no more', async () => {
  await insert('d1', 'm');
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    const before = Date.now();
    await handler.run({ deliveryId: 'd1' }, context);
    const delivery = await find('d1');
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: attempt,
      last_error: storeMessages([say('callback.refused')]),
    });
    const [job] = await jobs();
    expect(job?.run_at).toBe(delivery?.next_try_at);
    pauses.push(Math.round((Date.parse(delivery?.next_try_at ?? '') - before) / 1000));
  }
  expect(pauses).toEqual([15, 60, 240, 960, 3840, 15_360, 61_440]);
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(86_400);
  await db.deleteFrom('jobs').execute();
  await handler.run({ deliveryId: 'd1' }, context);
  expect(await find('d1')).toMatchObject({ status: 'dead', attempts: 8, next_try_at: null });
  expect(await jobs()).toEqual([]);
  await handler.run({ deliveryId: 'd1' }, context);
  expect(await find('d1')).toMatchObject({ attempts: 8 });
});

it('does not count waiting for a host that is busy as a try', async () => {
  await insert('d2', 'm');
  const release = slots.take('127.0.0.1:9');
  await handler.run({ deliveryId: 'd2' }, context);
  release?.();
  expect(await find('d2')).toMatchObject({ status: 'pending', attempts: 0 });
  expect(await jobs()).toMatchObject([{ key: 'deliver:d2' }]);
});

it('sends nothing to a receiver that was set later: what waits for the former one is dead, with the reason', async () => {
  const receiver = await startCallbackReceiver();
  await insert('d4', 'm', 'http://127.0.0.1:9/hook');
  await db.updateTable('models').set({ callback_url: receiver.url }).where('model_id', '=', 'm').execute();
  await handler.run({ deliveryId: 'd4' }, context);
  expect(await find('d4')).toMatchObject({ status: 'dead', attempts: 0, next_try_at: null });
  expect(readMessages((await find('d4'))?.last_error)).toEqual([say('callback.changed')]);
  // It belongs to the receiver of today; one of an earlier version does not say where it belongs.
  await insert('d5', 'm', receiver.url);
  await insert('d6', 'm');
  for (const deliveryId of ['d5', 'd6']) await handler.run({ deliveryId }, context);
  // It was never tried, and is forgotten like the others.
  await createDeliveryStore(db).pruneDeliveries('2099-01-01T00:00:00.000Z');
  expect(await find('d4')).toBeUndefined();
  expect(receiver.calls.map((call) => call.headers['webhook-id'])).toEqual(['msg_d5', 'msg_d6']);
  await receiver.close();
});

it('drops what nobody waits for any more: the model or its callback is gone', async () => {
  await insert('d3', 'deleted model');
  await handler.run({ deliveryId: 'd3' }, context);
  expect(await find('d3')).toBeUndefined();
});
