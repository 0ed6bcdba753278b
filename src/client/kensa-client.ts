import { EventSourceParserStream } from 'eventsource-parser/stream';
import { checkAnswers, createKensaApi, type KensaApi } from './kensa-api.ts';
import { KensaError, readError } from './kensa-error.ts';
import { predictItems, waitForItems, waitForModel } from './long-operations.ts';
import type { Model } from './shapes.ts';
import {
  exportModels,
  type Inspector,
  importModels,
  inspect,
  type ProductFields,
  type UploadFields,
  type UploadFile,
  uploadItems,
} from './transfer.ts';

export { createKensaApi, dataOf, type KensaApi } from './kensa-api.ts';
export { type FieldProblem, KensaError } from './kensa-error.ts';
export type * from './shapes.ts';
export {
  exportModels,
  type Inspector,
  importModels,
  inspect,
  type ProductFields,
  type UploadFields,
  type UploadFile,
  uploadItems,
} from './transfer.ts';
export interface ClientOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

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
    /** Sends images of one product and waits for the verdict, at most so long. See `inspect`. */
    inspect: (inspector: Inspector, files: readonly UploadFile[], fields?: ProductFields, timeoutMs?: number) =>
      inspect(api, inspector, files, fields, timeoutMs),
    /** Queues predictions in portions; waits while the queue of the service is full. @returns the ids of the items. */
    predictItems: (modelId: string, itemIds: readonly string[]) => predictItems(api, modelId, itemIds),
    /** @throws KensaError if the training fails or is cancelled. */
    waitForModel: (modelId: string, onProgress?: (text: string) => void) => waitForModel(api, modelId, onProgress),
    waitForItems: (itemIds: readonly string[], onProgress?: (done: number) => void) =>
      waitForItems(api, itemIds, onProgress),
    /** A zip file of the models, as `importModels` of another service takes it. */
    exportModels: async (modelIds: readonly string[]) =>
      new Uint8Array(await (await exportModels(api, modelIds)).arrayBuffer()),
    importModels: (zip: Uint8Array) => importModels(api, zip),
  };
}

const renewBeforeMs = 30_000;

/**
 * A `fetch` that carries an access token, gets it when it is needed, renews it before it expires, and asks once more
 * with a new one if the service no longer knows it.
 */
function createAuthorizedFetch({
  baseUrl,
  clientId,
  clientSecret,
}: ClientOptions): (request: Request) => Promise<Response> {
  let token: Promise<{ value: string; renewAt: number }> | undefined;

  const login = async (): Promise<{ value: string; renewAt: number }> => {
    const response = await fetch(`${baseUrl}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw await readError(response);
    const answer = (await response.json()) as { access_token: string; expires_in?: number };
    return { value: answer.access_token, renewAt: Date.now() + (answer.expires_in ?? 3600) * 1000 - renewBeforeMs };
  };

  const getToken = async (): Promise<string> => {
    token ??= login();
    const current = await token.catch((error: unknown) => {
      token = undefined;
      throw error instanceof KensaError ? error : new KensaError(0, error, `${baseUrl} cannot be reached.`);
    });
    if (current.renewAt > Date.now()) return current.value;
    token = undefined;
    return getToken();
  };

  const send = async (request: Request): Promise<Response> => {
    request.headers.set('authorization', `Bearer ${await getToken()}`);
    return fetch(request);
  };

  return async (request) => {
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401) return response;
    token = undefined;
    return send(again);
  };
}

/**
 * Yields the model each time its training moves on, from the server-sent events of the service. The last one is final.
 * Ends early if the connection does. @throws KensaError if the service refuses the request.
 */
export async function* followModel(api: KensaApi, modelId: string, signal?: AbortSignal): AsyncGenerator<Model> {
  const { data } = await api.GET('/api/v1/models/{model_id}/events', {
    params: { path: { model_id: modelId } },
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    signal: signal ?? null,
  });
  if (!data) return;
  const text = (data as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
  const events = text.pipeThrough(new EventSourceParserStream());
  for await (const event of events) yield JSON.parse(event.data) as Model;
}
