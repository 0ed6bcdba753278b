import { dataOf } from '../../../src/client/kensa-api.ts';
import type {
  Label,
  Model,
  NewAnnotation,
  PredictParameters,
  Preprocessing,
  Schemas,
  Target,
} from '../../../src/client/shapes.ts';
import { exportModels } from '../../../src/client/transfer.ts';
import { api } from './kensa.ts';

export type ItemChanges = Omit<Schemas['AssessItemsBody'], 'item_ids'>;

const ofModel = (model_id: string) => ({ params: { path: { model_id } } });
const ofTarget = (targetId: number) => ({ params: { path: { target_id: String(targetId) } } });

/** The verdict and other changes, for many items at once. */
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

export function trainModel(algorithmId: string, body: Schemas['TrainRequest']): Promise<Model> {
  const params = { path: { algorithm_id: algorithmId } };
  return dataOf(api.POST('/api/v1/algorithms/{algorithm_id}/train', { params, body }));
}

export const cancelTraining = (modelId: string): Promise<Model> =>
  dataOf(api.POST('/api/v1/models/{model_id}/cancel', ofModel(modelId)));

export const activateModel = (modelId: string): Promise<Model> =>
  dataOf(api.POST('/api/v1/models/{model_id}/activate', ofModel(modelId)));

/** Refines the model on these items, or on all items that the person and the model judge differently. */
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

export const createTarget = (name: string): Promise<Target> => dataOf(api.POST('/api/v1/targets/', { body: { name } }));

export const updateTarget = (targetId: number, body: Schemas['TargetChanges']): Promise<Target> =>
  dataOf(api.PUT('/api/v1/targets/{target_id}', { ...ofTarget(targetId), body }));

export const deleteTarget = (targetId: number) => dataOf(api.DELETE('/api/v1/targets/{target_id}', ofTarget(targetId)));

export const setDefaultTarget = (targetId: number): Promise<Target> =>
  dataOf(api.POST('/api/v1/targets/{target_id}', ofTarget(targetId)));

/** The item's first image after the steps, as WebP. */
export async function previewSteps(
  targetId: number,
  itemId: string,
  preprocessing: Preprocessing[],
  signal: AbortSignal,
): Promise<Blob> {
  const { data } = await api.POST('/api/v1/targets/{target_id}/preview', {
    ...ofTarget(targetId),
    body: { item_id: itemId, preprocessing },
    parseAs: 'blob',
    signal,
  });
  return data ?? new Blob();
}

/** Saves the bytes as a file of the browser. */
function saveFile(bytes: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function saveModel(modelId: string, name: string): Promise<void> {
  saveFile(await exportModels(api, [modelId]), `${name}.zip`);
}

/** Verdicts as CSV: of one model, or of all. */
export async function saveResults(name: string, modelId?: string): Promise<void> {
  const query = modelId === undefined ? {} : { model_ids: [modelId] };
  const { data } = await api.POST('/api/v1/targets/model/results', { params: { query }, parseAs: 'blob' });
  if (data) saveFile(data, `${name}.csv`);
}

export async function saveLogs(): Promise<void> {
  const { data } = await api.POST('/api/v1/utils/debug', { parseAs: 'blob' });
  if (data) saveFile(data, 'kensa-debug.zip');
}
