import { dataOf, type KensaApi } from './kensa-api.ts';
import { KensaError } from './kensa-error.ts';
import { pause } from './wait-for.ts';

const largestPortion = 100;

export interface PredictOptions {
  onProgress?: (queued: number) => void;
  /** Stops before the next portion. */
  signal?: AbortSignal;
}

/**
 * Queues predictions in portions. While the queue of the service is full, the portions shrink, and then wait for as
 * long as the service says.
 * @returns the ids of the queued items.
 */
export async function predictItems(
  api: KensaApi,
  modelId: string,
  itemIds: readonly string[],
  { onProgress, signal }: PredictOptions = {},
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
