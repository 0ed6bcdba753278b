import { createHmac } from 'node:crypto';
import type { ItemView } from '../items/items.schemas.ts';
import type { OutgoingCall } from './send-callback.ts';

export interface CallbackTarget {
  readonly url: string;
  readonly method: 'post' | 'get';
  readonly secret: string;
}

/** The call for one item. `get` carries a shortened item in the query, which stays below 4 KB. */
export function buildCall(
  target: CallbackTarget,
  item: ItemView,
  message: { id: string; timestamp: number },
): OutgoingCall {
  if (target.method === 'get') {
    const content = JSON.stringify({ items: [shortenItem(item)] });
    const url = new URL(target.url);
    url.searchParams.append('items', content);
    return { url: url.href, method: 'GET', headers: webhookHeaders({ ...message, content }, target.secret) };
  }
  const content = JSON.stringify({ items: [item] });
  const headers = { 'content-type': 'application/json', ...webhookHeaders({ ...message, content }, target.secret) };
  return { url: target.url, method: 'POST', headers, body: content };
}

/** Identity and verdict only. */
function shortenItem({ item_id, status, assessments }: ItemView): ItemView {
  const cut = (assessments ?? []).map(({ model_id, result, label, anomaly_score }) => ({
    model_id,
    result,
    label,
    anomaly_score,
  }));
  return { item_id, status, assessments: cut } as ItemView;
}

/** The item of a test call. Its id cannot be mistaken for one of the line. */
export function sampleItem(modelId: string, now: string): ItemView {
  return {
    item_id: 'callback-test',
    name: 'callback-test',
    status: 'done',
    active: true,
    is_training_data: false,
    images: [],
    assessments: [
      {
        model_id: modelId,
        result: 'OK',
        label: 'good',
        anomaly_score: '0.000000',
        detected_objects: 0,
        detection_accuracy: 100,
        annotations: [],
        images: [],
      },
    ],
    created_at: now,
  };
}

export interface WebhookMessage {
  /** The same at every try, so that a receiver recognises repetitions. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The signed text: the body, or for `get` the query field `items`. */
  readonly content: string;
}

/** The key that a model's callbacks are signed with, as the Standard Webhooks specification writes keys. */
export function callbackSecret(masterKey: Uint8Array, modelId: string): string {
  return `whsec_${createHmac('sha256', masterKey).update(`callback:${modelId}`).digest('base64')}`;
}

/** The three headers of the Standard Webhooks specification, signature version 1. */
export function webhookHeaders(message: WebhookMessage, secret: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${message.id}.${message.timestamp}.${message.content}`;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  };
}
