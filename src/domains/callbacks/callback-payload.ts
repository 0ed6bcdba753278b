import type { ItemView } from '../items/items.schemas.ts';
import type { OutgoingCall } from './send-callback.ts';
import { webhookHeaders } from './webhook-signature.ts';

export interface CallbackTarget {
  readonly url: string;
  readonly method: 'post' | 'get';
  readonly secret: string;
}

/** The call that tells a receiver of one item. `get` carries the cut item in the query, which stays below 4 KB. */
export function buildCall(
  target: CallbackTarget,
  item: ItemView,
  message: { id: string; timestamp: number },
): OutgoingCall {
  if (target.method === 'get') {
    const content = JSON.stringify({ items: [cutItem(item)] });
    const url = new URL(target.url);
    url.searchParams.append('items', content);
    return { url: url.href, method: 'GET', headers: webhookHeaders({ ...message, content }, target.secret) };
  }
  const content = JSON.stringify({ items: [item] });
  const headers = { 'content-type': 'application/json', ...webhookHeaders({ ...message, content }, target.secret) };
  return { url: target.url, method: 'POST', headers, body: content };
}

/** Identity and verdict only. */
function cutItem({ item_id, status, assessments }: ItemView): ItemView {
  const cut = (assessments ?? []).map(({ model_id, result, label, anomaly_score }) => ({
    model_id,
    result,
    label,
    anomaly_score,
  }));
  return { item_id, status, assessments: cut } as ItemView;
}

/** What the test button sends: an item that cannot be mistaken for one of the line. */
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
