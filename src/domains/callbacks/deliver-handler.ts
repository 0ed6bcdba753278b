import { messageOf } from '../../errors.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handlers.ts';
import { backoffMs, jobKinds } from '../../jobs/job-kinds.ts';
import type { JobQueue, NewJob } from '../../jobs/job-queue.ts';
import { type Message, say, storeMessages } from '../../messages/message.ts';
import type { StationRow, Trx } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ModelsService } from '../models/models.service.ts';
import { parseOutputs } from '../stations/check-outputs.ts';
import { buildCall, type CallbackTarget } from './callback-payload.ts';
import type { Delivery, DeliveryStore } from './delivery.store.ts';
import type { HostSlots } from './host-slots.ts';
import type { CallbackSender, CallOutcome } from './send-callback.ts';

interface Dependencies {
  readonly store: DeliveryStore;
  readonly models: ModelsService;
  readonly queue: JobQueue;
  readonly sender: CallbackSender;
  readonly slots: HostSlots;
  readonly view: ReturnType<typeof createItemView>;
  readonly secretOf: (modelId: string) => string;
  findStation(stationId: string): Promise<StationRow | undefined>;
}

export function deliverJob(deliveryId: string, runAt?: Date): NewJob {
  return {
    kind: 'deliver',
    payload: { deliveryId },
    key: `deliver:${deliveryId}`,
    ...(runAt === undefined ? {} : { runAt }),
  };
}

/** What a delivery keeps: the item as it was at the verdict, and the receiver that it is for. */
export interface DeliverySnapshot extends ItemDetails {
  /** Absent in deliveries of an earlier version, which go to the receiver of today. */
  readonly callback_url?: string;
  /** Of a delivery of a station: what a result says of it beside the item. */
  readonly station?: { readonly name: string; readonly model_version: number | null };
}

/** Stands for a station where keys are made for models. */
export const stationKey = (stationId: string): string => `station:${stationId}`;

/**
 * Sends one delivery of the outbox. The outbox counts the tries, and each later try is a new job: waiting for a free
 * slot of a busy host does not count as a try. After a process dies between a call and its record, the call is repeated.
 */
export function createDeliverHandler(dependencies: Dependencies): JobHandler<'deliver'> {
  const { store, models, queue, slots } = dependencies;

  const end = (trx: Trx, deliveryId: string, reason: Message): Promise<void> =>
    store.updateDelivery(trx, deliveryId, {
      status: 'dead',
      last_error: storeMessages([reason]),
      next_try_at: null,
    });

  const findTarget = async (
    { model_id: modelId, station_id: stationId }: Delivery,
    { callback_url: sentTo }: DeliverySnapshot,
  ): Promise<CallbackTarget | 'gone' | 'changed'> => {
    if (stationId !== null) {
      const station = await dependencies.findStation(stationId);
      if (!station) return 'gone';
      const known = parseOutputs(station).some(({ url }) => url === sentTo);
      if (!known || sentTo === undefined) return 'changed';
      return { url: sentTo, method: 'post', secret: dependencies.secretOf(stationKey(stationId)) };
    }
    const model = await models.findModel(modelId);
    if (!model) return 'gone';
    const { callback_url: url, callback_method: method } = model;
    if (url === null || (sentTo ?? url) !== url) return 'changed';
    return { url, method: method ?? 'post', secret: dependencies.secretOf(modelId) };
  };

  return {
    async run({ deliveryId }, context) {
      const delivery = await store.findDelivery(deliveryId);
      if (delivery?.status !== 'pending') return;
      const snapshot = JSON.parse(delivery.snapshot) as DeliverySnapshot;
      const target = await findTarget(delivery, snapshot);
      if (target === 'gone') return context.completeWith((trx) => store.deleteDelivery(trx, deliveryId));
      if (target === 'changed') return context.completeWith((trx) => end(trx, deliveryId, say('callback.changed')));
      const { host } = new URL(target.url);
      const release = slots.take(host);
      if (!release) {
        const runAt = new Date(Date.now() + slots.waitMs(host));
        await context.completeWith((trx) => queue.enqueue(trx, deliverJob(deliveryId, runAt)));
        return queue.wake();
      }
      try {
        const item = dependencies.view(snapshot, { assessments: true, annotations: true });
        const message = { id: `msg_${deliveryId}`, timestamp: Math.floor(Date.now() / 1000) };
        const outcome = await dependencies.sender.send({ ...buildCall(target, item, message), signal: context.signal });
        // The service is stopping: this does not count as a try.
        if (context.signal.aborted && !outcome.delivered) throw new Error('The service stopped before the answer.');
        await record(dependencies, delivery, outcome, context);
      } finally {
        release();
      }
      queue.wake();
    },
    onDead: ({ deliveryId }, error, trx) => end(trx, deliveryId, messageOf(error)),
  };
}

async function record(
  dependencies: Dependencies,
  delivery: Delivery,
  outcome: CallOutcome,
  context: JobContext,
): Promise<void> {
  const { store, queue } = dependencies;
  const { delivery_id: deliveryId } = delivery;
  const attempts = delivery.attempts + 1;
  const now = Date.now();
  const tried = {
    attempts,
    last_status: outcome.status,
    last_error: outcome.error && storeMessages([outcome.error]),
    last_tried_at: new Date(now).toISOString(),
  };
  const retryAt = new Date(now + backoffMs('deliver', attempts));
  await context.completeWith(async (trx) => {
    if (outcome.delivered) {
      await store.updateDelivery(trx, deliveryId, { ...tried, status: 'delivered', snapshot: '', next_try_at: null });
    } else if (attempts >= jobKinds.deliver.maxAttempts) {
      await store.updateDelivery(trx, deliveryId, { ...tried, status: 'dead', next_try_at: null });
    } else {
      await store.updateDelivery(trx, deliveryId, { ...tried, next_try_at: retryAt.toISOString() });
      await queue.enqueue(trx, deliverJob(deliveryId, retryAt));
    }
  });
}
