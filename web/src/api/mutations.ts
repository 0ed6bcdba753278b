import { dataOf } from '../../../src/client/kensa-api.ts';
import { predictItems as sendPredictions } from '../../../src/client/predict-items.ts';
import type { Label, Model, NewAnnotation, PredictParameters, Schemas } from '../../../src/client/shapes.ts';
import { api } from './kensa.ts';

export type ItemChanges = Omit<Schemas['AssessItemsBody'], 'item_ids'>;

const ofModel = (model_id: string) => ({ params: { path: { model_id } } });

/** The verdict, and what else is to hold, for many items at once. */
export const assessItems = (itemIds: readonly string[], changes: ItemChanges) =>
  dataOf(api.POST('/api/v1/items/assess', { body: { item_ids: [...itemIds], ...changes } }));

export const deleteItems = (itemIds: readonly string[], keepalive = false) =>
  dataOf(api.DELETE('/api/v1/items/', { body: { item_ids: [...itemIds] }, keepalive }));

/** Replaces the regions; an empty list with `good: false` is NG without a place. */
export async function annotateItem(
  itemId: string,
  annotations: readonly NewAnnotation[],
  good: boolean,
): Promise<void> {
  const body = good ? { good } : { annotations: [...annotations], good };
  await api.PATCH('/api/v1/items/{item_id}', { params: { path: { item_id: itemId } }, body });
}

export const saveLabels = (labels: readonly Label[]) =>
  dataOf(api.PUT('/api/v1/labels', { body: { labels: [...labels] } }));

/** Any number of items, in portions. @returns how many. */
export async function predictItems(modelId: string, itemIds: readonly string[]): Promise<number> {
  return (await sendPredictions(api, modelId, itemIds)).length;
}

export function trainModel(algorithmId: string, body: Schemas['TrainRequest']): Promise<Model> {
  const params = { path: { algorithm_id: algorithmId } };
  return dataOf(api.POST('/api/v1/algorithms/{algorithm_id}/train', { params, body }));
}

export const cancelTraining = (modelId: string): Promise<Model> =>
  dataOf(api.POST('/api/v1/models/{model_id}/cancel', ofModel(modelId)));

export const activateModel = (modelId: string): Promise<Model> =>
  dataOf(api.POST('/api/v1/models/{model_id}/activate', ofModel(modelId)));

/** Teaches the items, or all that were judged otherwise than by the model. */
export const refineModel = (modelId: string, itemIds: readonly string[] | undefined): Promise<Model> =>
  dataOf(
    api.POST('/api/v1/models/{model_id}/refine', {
      ...ofModel(modelId),
      body: itemIds ? { item_ids: [...itemIds] } : {},
    }),
  );

export const deleteModels = (modelIds: readonly string[]) =>
  dataOf(api.DELETE('/api/v1/models/', { params: { query: { model_ids: [...modelIds] } } }));

export const savePredictParameters = (modelId: string, body: Partial<PredictParameters>) =>
  dataOf(api.POST('/api/v1/models/{model_id}/update_predict_parameters', { ...ofModel(modelId), body }));

export const saveCallback = (modelId: string, body: Schemas['PredictCallback']) =>
  dataOf(api.POST('/api/v1/models/{model_id}/update_predict_callback', { ...ofModel(modelId), body }));

export const testCallback = (modelId: string) =>
  dataOf(api.POST('/api/v1/models/{model_id}/callbacks/test', ofModel(modelId)));
