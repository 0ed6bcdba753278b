import { dataOf, type KensaApi } from './kensa-api.ts';
import { KensaError } from './kensa-error.ts';
import type { AssessedItem, Item, Model, TrainedModel } from './shapes.ts';

const pollMs = 200;

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

/** Waits until each item is inspected. */
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
