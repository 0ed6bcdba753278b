import { request } from './client.ts';
import type { Annotation, Model, PredictParameters } from './types.ts';

export type NewAnnotation = Pick<Annotation, 'x_min' | 'x_max' | 'y_min' | 'y_max' | 'label' | 'notes' | 'image'>;

export interface ItemChanges {
  readonly good?: boolean;
  readonly is_training_data?: boolean;
  readonly active?: boolean;
}

/** The verdict, and what else is to hold, for many items at once. */
export const assessItems = (itemIds: readonly string[], changes: ItemChanges) =>
  request<{ item_ids: string[] }>('/api/v1/items/assess', { method: 'POST', json: { item_ids: itemIds, ...changes } });

export const deleteItems = (itemIds: readonly string[], keepalive = false) =>
  request<{ item_ids: string[] }>('/api/v1/items/', { method: 'DELETE', json: { item_ids: itemIds }, keepalive });

/** Replaces the regions; an empty list with `good: false` is NG without a place. */
export const annotateItem = (itemId: string, annotations: readonly NewAnnotation[], good: boolean) =>
  request<void>(`/api/v1/items/${itemId}`, { method: 'PATCH', json: good ? { good } : { annotations, good } });

export const predictItems = (modelId: string, itemIds: readonly string[]) =>
  request<{ model_version: string; item_ids: string[] }>(`/api/v1/models/${modelId}/predict`, {
    method: 'POST',
    json: { item_ids: itemIds },
  });

export interface TrainRequest {
  readonly name?: string;
  readonly item_ids?: readonly string[];
  readonly override_params?: readonly { algorithm_parameter_id: number; value: string }[];
}

export const trainModel = (algorithmId: string, body: TrainRequest) =>
  request<Model>(`/api/v1/algorithms/${algorithmId}/train`, { method: 'POST', json: body });

export const cancelTraining = (modelId: string) =>
  request<Model>(`/api/v1/models/${modelId}/cancel`, { method: 'POST', json: {} });

export const activateModel = (modelId: string) =>
  request<Model>(`/api/v1/models/${modelId}/activate`, { method: 'POST', json: {} });

export const deleteModels = (modelIds: readonly string[]) =>
  request<{ model_ids: string[] }>(`/api/v1/models/?model_ids=${modelIds.join(',')}`, { method: 'DELETE' });

export const savePredictParameters = (modelId: string, parameters: Partial<PredictParameters>) =>
  request<PredictParameters>(`/api/v1/models/${modelId}/update_predict_parameters`, {
    method: 'POST',
    json: parameters,
  });
