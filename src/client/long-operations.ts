import { dataOf, type KensaApi } from './kensa-api.ts';
import { KensaError } from './kensa-error.ts';
import type { AssessedItem, Item, Model, TrainedModel } from './shapes.ts';

// Operations that take longer than one request.

const largestPortion = 100;
const pollMs = 200;

/**
 * Queues predictions in portions. While the queue of the service is full, the portions shrink, and then wait for as
 * long as the service says. The signal stops before the next portion.
 * @returns the ids of the queued items.
 */
export async function predictItems(
  api: KensaApi,
  modelId: string,
  itemIds: readonly string[],
  { onProgress, signal }: { onProgress?: (queued: number) => void; signal?: AbortSignal } = {},
): Promise<string[]> {
  const queued: string[] = [];
  let size = largestPortion;
  let start = 0;
  while (start < itemIds.length && !signal?.aborted) {
    const portion = itemIds.slice(start, start + size);
    const sent = { params: { path: { model_id: modelId } }, body: { item_ids: portion } };
    try {
      queued.push(...(await dataOf(api.POST('/api/v1/models/{model_id}/predict', sent))).item_ids);
      start += portion.length;
      size = Math.min(largestPortion, 2 * size);
      onProgress?.(start);
    } catch (error) {
      // 413: more than the queue ever takes. 425: more than it takes now.
      if (!(error instanceof KensaError) || (error.status !== 413 && error.status !== 425)) throw error;
      if (error.status === 413 && portion.length === 1) throw error;
      if (portion.length > 1) size = Math.ceil(portion.length / 2);
      else await pause(1000 * (error.retryAfter ?? 1));
    }
  }
  return queued;
}

/** @throws KensaError if the training fails or is cancelled. */
export async function waitForModel(
  api: KensaApi,
  modelId: string,
  onProgress?: (text: string) => void,
): Promise<TrainedModel> {
  for (;;) {
    const asked = api.GET('/api/v1/models/{model_id}', { params: { path: { model_id: modelId } } });
    const model: Model = await dataOf(asked);
    const text = model.status_text ?? '';
    onProgress?.(text);
    if (model.status === 'ready') return model as TrainedModel;
    if (model.status !== 'queued' && model.status !== 'training') {
      throw new KensaError(200, model, `Model ${model.name} is ${model.status}: ${text}`);
    }
    await pause(pollMs);
  }
}

export async function waitForItems(
  api: KensaApi,
  itemIds: readonly string[],
  onProgress?: (done: number) => void,
): Promise<AssessedItem[]> {
  const done = new Map<string, AssessedItem>();
  for (;;) {
    for (const itemId of itemIds.filter((id) => !done.has(id))) {
      const item: Item = await dataOf(api.GET('/api/v1/items/{item_id}', { params: { path: { item_id: itemId } } }));
      if (item.status === 'queued' || item.status === 'processing') break;
      done.set(itemId, item as AssessedItem);
    }
    onProgress?.(done.size);
    if (done.size === itemIds.length) return itemIds.flatMap((id) => done.get(id) ?? []);
    await pause(pollMs);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
