import { type Credentials, createAuthorizedFetch } from './access-token.ts';
import { checkAnswers, createKensaApi, type KensaApi } from './kensa-api.ts';
import { predictItems } from './predict-items.ts';
import type { AssessedItem, Model, TrainedModel } from './shapes.ts';
import { exportModels, importModels, type UploadFields, type UploadFile, uploadItems } from './transfer.ts';
import { waitForItems, waitForModel } from './wait-for.ts';

export { followModel } from './follow-model.ts';
export { createKensaApi, dataOf, type KensaApi } from './kensa-api.ts';
export { type FieldProblem, KensaError } from './kensa-error.ts';
export type * from './shapes.ts';
export {
  exportModels,
  importModels,
  installLicense,
  type UploadFields,
  type UploadFile,
  uploadItems,
} from './transfer.ts';
export type ClientOptions = Credentials;

export interface KensaClient {
  /** Every operation, typed by path: `api.GET('/api/v1/models/')`. An error answer is thrown as KensaError. */
  readonly api: KensaApi;
  /** The `data` of a JSON answer, for paths that are put together. @throws KensaError */
  request<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** @returns the ids of the new items. */
  uploadItems(files: readonly UploadFile[], fields: UploadFields): Promise<string[]>;
  /** Queues predictions in portions; waits while the queue of the service is full. @returns the ids of the items. */
  predictItems(modelId: string, itemIds: readonly string[]): Promise<string[]>;
  /** @throws KensaError where the training fails or is cancelled. */
  waitForModel(modelId: string, onProgress?: (text: string) => void): Promise<TrainedModel>;
  /** Waits until each item is judged. */
  waitForItems(itemIds: readonly string[], onProgress?: (done: number) => void): Promise<AssessedItem[]>;
  /** A zip file of the models, as `importModels` of another service takes it. */
  exportModels(modelIds: readonly string[]): Promise<Uint8Array>;
  importModels(zip: Uint8Array): Promise<Model[]>;
}

/** A client of a running service; gets and renews its access token by itself. */
export function createKensaClient({ baseUrl, clientId, clientSecret }: ClientOptions): KensaClient {
  const origin = baseUrl.replace(/\/+$/, '');
  const authorizedFetch = createAuthorizedFetch({ baseUrl: origin, clientId, clientSecret });
  const send = checkAnswers(authorizedFetch);
  const api = createKensaApi(origin, authorizedFetch);

  return {
    api,
    async request<T>(method: string, path: string, body?: unknown) {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const request = new Request(`${origin}${path}`, { method, ...(body === undefined ? {} : json) });
      const text = await (await send(request)).text();
      return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
    },
    uploadItems: (files, fields) => uploadItems(api, files, fields),
    predictItems: (modelId, itemIds) => predictItems(api, modelId, itemIds),
    waitForModel: (modelId, onProgress) => waitForModel(api, modelId, onProgress),
    waitForItems: (itemIds, onProgress) => waitForItems(api, itemIds, onProgress),
    exportModels: async (modelIds) => new Uint8Array(await (await exportModels(api, modelIds)).arrayBuffer()),
    importModels: (zip) => importModels(api, zip),
  };
}
