import { dataOf, type KensaApi } from './kensa-api.ts';
import type { Model } from './shapes.ts';

export interface UploadFile<Bytes = Uint8Array> {
  readonly name: string;
  readonly bytes: Bytes;
}

export interface UploadFields {
  readonly training: 'true' | 'false';
  readonly good?: 'true' | 'false';
  /** All files are images of one item of this name. */
  readonly item_name?: string;
  /** A model, or "active", that inspects the items at once. */
  readonly model_id?: string;
}

/** @returns the ids of the new items. */
export async function uploadItems(
  api: KensaApi,
  files: readonly UploadFile<Uint8Array | Blob>[],
  fields: UploadFields,
  signal?: AbortSignal,
): Promise<string[]> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  for (const { name, bytes } of files) form.append('files', toBlob(bytes), name);
  const sent = { body: { training: fields.training === 'true' }, bodySerializer: () => form, signal: signal ?? null };
  return (await dataOf(api.POST('/api/v1/items/', sent))).item_ids;
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

function toBlob(bytes: Uint8Array | Blob): Blob {
  return bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)]);
}
