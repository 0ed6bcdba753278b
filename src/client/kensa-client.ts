import createClient, { type Client } from 'openapi-fetch';
import { type Credentials, createAuthorizedFetch } from './access-token.ts';
import type { components, paths } from './generated/openapi.ts';
import { KensaError, readError } from './kensa-error.ts';

export { KensaError } from './kensa-error.ts';
/** Shapes of the API by name, such as `Schemas['Item']`. */
export type Schemas = components['schemas'];
export type ClientOptions = Credentials;

export interface UploadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Fields<T, K extends keyof T> = { readonly [F in K]-?: Exclude<T[F], undefined> };

export type TrainedModel = Schemas['Model'] &
  Fields<Schemas['Model'], 'status' | 'training_time'> & { readonly status_text: string };

export type AssessedItem = Fields<Schemas['Item'], 'item_id' | 'name' | 'status'> & {
  readonly status_text: string | null;
  readonly assessments: readonly {
    readonly model_id: string;
    readonly result: 'OK' | 'NG';
    readonly anomaly_score: string;
    readonly detected_objects: number;
    readonly images: readonly { readonly url: string; readonly name: string }[];
  }[];
};

export interface KensaClient {
  /** Every operation, typed by path: `api.GET('/api/v1/models/')`. An error answer is thrown as KensaError. */
  readonly api: Client<paths>;
  /** The `data` of a JSON answer, for paths that are put together. @throws KensaError */
  request<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** @returns the ids of the new items. */
  uploadItems(files: readonly UploadFile[], fields: Readonly<Record<string, string>>): Promise<string[]>;
  /** Queues predictions; waits and asks again while the service is busy. @returns the ids of the items. */
  predictItems(modelId: string, itemIds: readonly string[]): Promise<string[]>;
  /** @throws KensaError where the training fails or is cancelled. */
  waitForModel(modelId: string, onProgress?: (text: string) => void): Promise<TrainedModel>;
  /** Waits until each item is judged. */
  waitForItems(itemIds: readonly string[], onProgress?: (done: number) => void): Promise<AssessedItem[]>;
  /** A zip file of the models, as `importModels` of another service takes it. */
  exportModels(modelIds: readonly string[]): Promise<Uint8Array>;
  importModels(zip: Uint8Array): Promise<Schemas['Model'][]>;
}

const pollMs = 200;

/** A client of a running service; gets and renews its access token by itself. */
export function createKensaClient({ baseUrl, clientId, clientSecret }: ClientOptions): KensaClient {
  const origin = baseUrl.replace(/\/+$/, '');
  const authorizedFetch = createAuthorizedFetch({ baseUrl: origin, clientId, clientSecret });
  const checkedFetch = async (request: Request): Promise<Response> => {
    const response = await authorizedFetch(request);
    if (!response.ok) throw await readError(response);
    return response;
  };
  const api = createClient<paths>({ baseUrl: origin, fetch: checkedFetch });

  const send = async <T>(method: string, path: string, init: RequestInit = {}): Promise<T> => {
    const response = await checkedFetch(new Request(`${origin}${path}`, { method, ...init }));
    const text = await response.text();
    return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
  };
  const request = <T>(method: string, path: string, body?: unknown): Promise<T> => {
    if (body === undefined) return send(method, path);
    return send(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  };

  return {
    api,
    request,
    async uploadItems(files, fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const { name, bytes } of files) form.append('files', toBlob(bytes), name);
      const { item_ids } = await send<Schemas['ItemIds']>('POST', '/api/v1/items/', { body: form });
      return item_ids;
    },
    predictItems: (modelId, itemIds) =>
      whileBusy(async () => {
        const body = { item_ids: [...itemIds] };
        const path = `/api/v1/models/${encodeURIComponent(modelId)}/predict`;
        return (await request<Schemas['PredictResponse']>('POST', path, body)).item_ids;
      }),
    waitForModel: (modelId, onProgress) => waitForModel(request, modelId, onProgress),
    waitForItems: (itemIds, onProgress) => waitForItems(request, itemIds, onProgress),
    async exportModels(modelIds) {
      const body = JSON.stringify({ model_ids: modelIds });
      const headers = { 'content-type': 'application/json', accept: 'application/zip' };
      const url = `${origin}/api/v1/models/export`;
      const response = await checkedFetch(new Request(url, { method: 'POST', headers, body }));
      return new Uint8Array(await response.arrayBuffer());
    },
    importModels(zip) {
      const form = new FormData();
      form.append('models', toBlob(zip), 'models.zip');
      return send('POST', '/api/v1/models/import', { body: form });
    },
  };
}

async function waitForModel(
  request: KensaClient['request'],
  modelId: string,
  onProgress: ((text: string) => void) | undefined,
): Promise<TrainedModel> {
  for (;;) {
    const model = await request<TrainedModel>('GET', `/api/v1/models/${encodeURIComponent(modelId)}`);
    onProgress?.(model.status_text);
    if (model.status === 'ready') return model;
    if (model.status !== 'queued' && model.status !== 'training') {
      throw new KensaError(200, model, `Model ${model.name} is ${model.status}: ${model.status_text}`);
    }
    await pause(pollMs);
  }
}

async function waitForItems(
  request: KensaClient['request'],
  itemIds: readonly string[],
  onProgress: ((done: number) => void) | undefined,
): Promise<AssessedItem[]> {
  const done = new Map<string, AssessedItem>();
  for (;;) {
    for (const itemId of itemIds.filter((id) => !done.has(id))) {
      const item = await request<AssessedItem>('GET', `/api/v1/items/${encodeURIComponent(itemId)}`);
      if (item.status === 'queued' || item.status === 'processing') break;
      done.set(itemId, item);
    }
    onProgress?.(done.size);
    if (done.size === itemIds.length) return itemIds.flatMap((id) => done.get(id) ?? []);
    await pause(pollMs);
  }
}

async function whileBusy<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof KensaError) || error.status !== 425) throw error;
      await pause(1000 * (error.retryAfter ?? 1));
    }
  }
}

function toBlob(bytes: Uint8Array): Blob {
  return new Blob([new Uint8Array(bytes)]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
