import { dataOf, type KensaApi } from './kensa-api.ts';
import type { Model, Schemas } from './shapes.ts';

export interface UploadFile<Bytes = Uint8Array> {
  readonly name: string;
  readonly bytes: Bytes;
}

/** What the sender knows of a product. */
export interface ProductFields {
  /** All files are images of one item of this name. */
  readonly item_name?: string;
  readonly serial?: string;
  readonly lot?: string;
  /** Up to 16 other texts by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface UploadFields extends ProductFields {
  readonly training: 'true' | 'false';
  readonly good?: 'true' | 'false';
  /** A model, or "active", that inspects the items at once. */
  readonly model_id?: string;
  /** The station that the images come from. */
  readonly station_id?: string;
  /** The product that the images show, an inspection target; absent: the default target. */
  readonly target_id?: string;
}

/** @returns the ids of the new items. */
export async function uploadItems(
  api: KensaApi,
  files: readonly UploadFile<Uint8Array | Blob>[],
  fields: UploadFields,
  signal?: AbortSignal,
): Promise<string[]> {
  const form = imageForm(files, fields);
  const sent = { body: { training: fields.training === 'true' }, bodySerializer: () => form, signal: signal ?? null };
  return (await dataOf(api.POST('/api/v1/items/', sent))).item_ids;
}

/** Who inspects: the model of a station, or a model; `active` stands for the active one. */
export type Inspector = { readonly stationId: string } | { readonly modelId: string };

/**
 * Sends images of one product and waits for the verdict.
 * @returns the judged item; with `status` other than `done`, the id of an item that is not judged yet.
 * @throws KensaError where the item will have no verdict.
 */
export async function inspect(
  api: KensaApi,
  inspector: Inspector,
  files: readonly UploadFile<Uint8Array | Blob>[],
  fields: ProductFields = {},
  timeoutMs = 2000,
): Promise<Schemas['Item'] | Schemas['ItemInWork']> {
  const query = { timeout_ms: timeoutMs };
  const sent = { body: { files: [] }, bodySerializer: () => imageForm(files, fields) };
  if ('stationId' in inspector) {
    const path = { station_id: inspector.stationId };
    return dataOf(api.POST('/api/v1/stations/{station_id}/inspect', { ...sent, params: { path, query } }));
  }
  const path = { model_id: inspector.modelId };
  return dataOf(api.POST('/api/v1/models/{model_id}/inspect', { ...sent, params: { path, query } }));
}

/** A zip file of the models, as `importModels` of another service takes it. */
export async function exportModels(api: KensaApi, modelIds: readonly string[]): Promise<Blob> {
  const { data } = await api.POST('/api/v1/models/export', {
    body: { model_ids: [...modelIds] },
    headers: { accept: 'application/zip' },
    parseAs: 'blob',
  });
  return data ?? new Blob([]);
}

export function importModels(api: KensaApi, zip: Uint8Array | Blob): Promise<Model[]> {
  const form = new FormData();
  form.append('models', toBlob(zip), 'models.zip');
  return dataOf(api.POST('/api/v1/models/import', { body: { models: '' }, bodySerializer: () => form }));
}

function imageForm(files: readonly UploadFile<Uint8Array | Blob>[], fields: UploadFields | ProductFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const { name, bytes } of files) form.append('files', toBlob(bytes), name);
  return form;
}

function toBlob(bytes: Uint8Array | Blob): Blob {
  return bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)]);
}
