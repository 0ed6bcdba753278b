import { dataOf, type KensaApi } from './kensa-api.ts';
import type { Model } from './shapes.ts';

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array | Blob;
}

export interface UploadFile extends NamedFile {
  readonly bytes: Uint8Array;
}

/** The fields of an upload beside its files. */
export interface UploadFields {
  readonly training: 'true' | 'false';
  readonly good?: 'true' | 'false';
  /** All files are images of one item of this name. */
  readonly item_name?: string;
  /** A model, or "active", that judges the items at once. */
  readonly model_id?: string;
}

/** @returns the ids of the new items. */
export async function uploadItems(
  api: KensaApi,
  files: readonly NamedFile[],
  fields: UploadFields,
  signal?: AbortSignal,
): Promise<string[]> {
  const form = formOf({ ...fields });
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

export async function installLicense(api: KensaApi, license: string): Promise<string> {
  const form = formOf({ license_data: license });
  const sent = { body: { license_data: license }, bodySerializer: () => form };
  return (await dataOf(api.POST('/api/v1/utils/', sent))).license_expiry;
}

function formOf(fields: Readonly<Record<string, string | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  return form;
}

function toBlob(bytes: Uint8Array | Blob): Blob {
  return bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)]);
}
