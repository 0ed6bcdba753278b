import { type Credentials, createAuthorizedFetch } from './access-token.ts';
import { checkAnswers, createKensaApi } from './kensa-api.ts';
import { predictItems } from './predict-items.ts';
import { exportModels, importModels, type UploadFields, type UploadFile, uploadItems } from './transfer.ts';
import { waitForItems, waitForModel } from './wait-for.ts';

export { followModel } from './follow-model.ts';
export { createKensaApi, dataOf, type KensaApi } from './kensa-api.ts';
export { type FieldProblem, KensaError } from './kensa-error.ts';
export type * from './shapes.ts';
export { exportModels, importModels, type UploadFields, type UploadFile, uploadItems } from './transfer.ts';
export type ClientOptions = Credentials;
export type KensaClient = ReturnType<typeof createKensaClient>;

/** A client of a running service; gets and renews its access token by itself. */
export function createKensaClient({ baseUrl, clientId, clientSecret }: ClientOptions) {
  const origin = baseUrl.replace(/\/+$/, '');
  const authorizedFetch = createAuthorizedFetch({ baseUrl: origin, clientId, clientSecret });
  const send = checkAnswers(authorizedFetch);
  const api = createKensaApi(origin, authorizedFetch);

  return {
    /** Every operation, typed by path: `api.GET('/api/v1/models/')`. An error answer is thrown as KensaError. */
    api,
    /** The `data` of a JSON answer, for paths that are put together. @throws KensaError */
    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const request = new Request(`${origin}${path}`, { method, ...(body === undefined ? {} : json) });
      const text = await (await send(request)).text();
      return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
    },
    /** @returns the ids of the new items. */
    uploadItems: (files: readonly UploadFile[], fields: UploadFields) => uploadItems(api, files, fields),
    /** Queues predictions in portions; waits while the queue of the service is full. @returns the ids of the items. */
    predictItems: (modelId: string, itemIds: readonly string[]) => predictItems(api, modelId, itemIds),
    /** @throws KensaError if the training fails or is cancelled. */
    waitForModel: (modelId: string, onProgress?: (text: string) => void) => waitForModel(api, modelId, onProgress),
    /** Waits until each item is inspected. */
    waitForItems: (itemIds: readonly string[], onProgress?: (done: number) => void) =>
      waitForItems(api, itemIds, onProgress),
    /** A zip file of the models, as `importModels` of another service takes it. */
    exportModels: async (modelIds: readonly string[]) =>
      new Uint8Array(await (await exportModels(api, modelIds)).arrayBuffer()),
    importModels: (zip: Uint8Array) => importModels(api, zip),
  };
}
