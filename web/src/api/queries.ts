import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import type {
  Algorithm,
  Item,
  ItemPage,
  Label,
  Model,
  ModelScores,
  Overview,
  Readiness,
  ServerStatus,
  Target,
} from './types.ts';

/** What the list of items is narrowed to; every field is a query parameter of the API. */
export interface ItemFilter {
  readonly item_type: 'training' | 'prediction';
  readonly model_id?: string;
  readonly result?: string;
  readonly user_result?: string;
  readonly disagrees?: string;
  readonly name?: string;
  readonly from?: string;
  readonly until?: string;
}

export const inProgress = (model: Model): boolean => model.status === 'queued' || model.status === 'training';

function localMidnight(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

export const overviewQuery = () =>
  queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => request<Overview>(`/api/v1/overview?since=${localMidnight()}`, { signal }),
    refetchInterval: 4_000,
  });

export function fetchItemPage(filter: ItemFilter, page: number, count: number, signal?: AbortSignal) {
  const query = new URLSearchParams({ ...filter, page: String(page), count: String(count) });
  return request<ItemPage>(`/api/v1/items/?${query}`, signal ? { signal } : {});
}

export const itemPageQuery = (filter: ItemFilter, page: number, count: number) =>
  queryOptions({
    queryKey: ['items', filter, count, page],
    queryFn: ({ signal }) => fetchItemPage(filter, page, count, signal),
    refetchInterval: 15_000,
  });

export const itemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['item', itemId],
    queryFn: ({ signal }) => request<Item>(`/api/v1/items/${itemId}?show_annotations=true`, { signal }),
    refetchInterval: ({ state }) => (['queued', 'processing'].includes(state.data?.status ?? '') ? 700 : false),
  });

export const modelsQuery = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<Model[]>('/api/v1/models/', { signal }),
    refetchInterval: ({ state }) => (state.data?.some(inProgress) ? 1_000 : false),
  });

export const modelQuery = (modelId: string) =>
  queryOptions({
    queryKey: ['model', modelId],
    queryFn: ({ signal }) => request<Model>(`/api/v1/models/${modelId}`, { signal }),
    refetchInterval: ({ state }) => (state.data && inProgress(state.data) ? 700 : false),
  });

export const scoresQuery = (modelId: string) =>
  queryOptions({
    queryKey: ['scores', modelId],
    queryFn: ({ signal }) => request<ModelScores>(`/api/v1/models/${modelId}/scores`, { signal }),
  });

export const algorithmsQuery = () =>
  queryOptions({
    queryKey: ['algorithms'],
    queryFn: ({ signal }) => request<Algorithm[]>('/api/v1/algorithms/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const readinessQuery = (algorithmId: string, itemIds?: readonly string[]) =>
  queryOptions({
    queryKey: ['readiness', algorithmId, itemIds],
    queryFn: ({ signal }) =>
      request<Readiness>(`/api/v1/algorithms/${algorithmId}/readiness`, {
        method: 'POST',
        json: itemIds ? { item_ids: itemIds } : {},
        signal,
      }),
    enabled: algorithmId !== '',
  });

export const labelsQuery = () =>
  queryOptions({ queryKey: ['labels'], queryFn: ({ signal }) => request<Label[]>('/api/v1/labels', { signal }) });

export const targetsQuery = () =>
  queryOptions({ queryKey: ['targets'], queryFn: ({ signal }) => request<Target[]>('/api/v1/targets/', { signal }) });

export const statusQuery = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => request<ServerStatus>('/api/v1/status', { signal }),
    refetchInterval: 2_000,
  });
