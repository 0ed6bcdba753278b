import { messageOf } from '../../errors.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handlers.ts';
import { backoffMs, jobKinds } from '../../jobs/job-kinds.ts';
import type { JobQueue, NewJob } from '../../jobs/job-queue.ts';
import { storeMessages } from '../../messages/message.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { createItemView } from '../items/item-view.ts';
import type { ModelsService } from '../models/models.service.ts';
import { buildCall, type CallbackTarget } from './callback-payload.ts';
import type { Delivery, DeliveryStore } from './delivery.store.ts';
import type { HostSlots } from './host-slots.ts';
import type { CallbackSender, CallOutcome } from './send-callback.ts';

interface Parts {
  readonly store: DeliveryStore;
  readonly models: ModelsService;
  readonly queue: JobQueue;
  readonly sender: CallbackSender;
  readonly slots: HostSlots;
  readonly view: ReturnType<typeof createItemView>;
  readonly secretOf: (modelId: string) => string;
}

export function deliverJob(deliveryId: string, runAt?: Date): NewJob {
  return {
    kind: 'deliver',
    payload: { deliveryId },
    key: `deliver:${deliveryId}`,
    ...(runAt === undefined ? {} : { runAt }),
  };
}

/**
 * Sends one delivery of the outbox. Tries are counted in the outbox and later ones are queued as new jobs, so that
 * waiting for a free slot of a busy host is not a try. A process that dies between the call and its record calls again.
 */
export function createDeliverHandler(parts: Parts): JobHandler<'deliver'> {
  const { store, models, queue, slots } = parts;
  return {
    async run({ deliveryId }, context) {
      const delivery = await store.findDelivery(deliveryId);
      if (delivery?.status !== 'pending') return;
      const model = await models.findModel(delivery.model_id);
      const url = model?.callback_url ?? null;
      // The callback was removed, or its model was: nobody waits for this any more.
      if (!model || url === null) return context.completeWith((trx) => store.deleteDelivery(trx, deliveryId));
      const { host } = new URL(url);
      const release = slots.take(host);
      if (!release) {
        const runAt = new Date(Date.now() + slots.waitMs(host));
        await context.completeWith((trx) => queue.enqueue(trx, deliverJob(deliveryId, runAt)));
        return queue.wake();
      }
      try {
        const target = { url, method: model.callback_method ?? 'post', secret: parts.secretOf(model.model_id) };
        const outcome = await send(parts, delivery, target, context.signal);
        await record(parts, delivery, outcome, context);
      } finally {
        release();
      }
      queue.wake();
    },
    async onDead({ deliveryId }, error, trx) {
      await store.updateDelivery(trx, deliveryId, {
        status: 'dead',
        last_error: storeMessages([messageOf(error)]),
        next_try_at: null,
      });
    },
  };
}

async function send(
  parts: Parts,
  delivery: Delivery,
  target: CallbackTarget,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const details = JSON.parse(delivery.snapshot) as ItemDetails;
  const item = parts.view(details, { assessments: true, annotations: true });
  const message = { id: `msg_${delivery.delivery_id}`, timestamp: Math.floor(Date.now() / 1000) };
  const outcome = await parts.sender.send({ ...buildCall(target, item, message), signal });
  // The service is stopping: this was no try.
  if (signal.aborted && !outcome.delivered) throw new Error('The service stopped before the receiver answered.');
  return outcome;
}

async function record(parts: Parts, delivery: Delivery, outcome: CallOutcome, context: JobContext): Promise<void> {
  const { store, queue } = parts;
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
