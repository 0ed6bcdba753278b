import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

export interface CallbackDelivery {
  delivery_id: string;
  item_id: string;
  status: 'pending' | 'delivered' | 'dead';
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  last_tried_at: string | null;
  next_try_at: string | null;
}

export interface CallbackOverview {
  callback_url: string;
  callback_method: string;
  secret: string;
  pending: number;
  delivered: number;
  dead: number;
  deliveries: CallbackDelivery[];
}

export interface CallbackTest {
  delivered: boolean;
  status: number | null;
  error: string | null;
  duration_ms: number;
}

export const callbacksQuery = (modelId: string) =>
  queryOptions({
    queryKey: ['callbacks', modelId],
    queryFn: ({ signal }) => request<CallbackOverview>(`/api/v1/models/${modelId}/callbacks`, { signal }),
    refetchInterval: 4_000,
  });

export const saveCallback = (modelId: string, url: string, method: string) =>
  request<unknown>(`/api/v1/models/${modelId}/update_predict_callback`, {
    method: 'POST',
    json: { callback_url: url, callback_method: method },
  });

export const testCallback = (modelId: string) =>
  request<CallbackTest>(`/api/v1/models/${modelId}/callbacks/test`, { method: 'POST', json: {} });
