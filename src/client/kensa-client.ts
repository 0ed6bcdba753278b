/** What the service answered instead of a success. */
export class KensaError extends Error {
  override readonly name = 'KensaError';
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface UploadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TrainedModel {
  readonly model_id: string;
  readonly name: string;
  readonly status: string;
  readonly status_text: string;
  readonly training_time: number | null;
}

export interface AssessedItem {
  readonly item_id: string;
  readonly name: string;
  readonly status: string;
  readonly status_text: string | null;
  readonly assessments: readonly {
    readonly result: 'OK' | 'NG';
    readonly anomaly_score: string;
    readonly detected_objects: number;
    readonly images: readonly { readonly url: string; readonly name: string }[];
  }[];
}

export interface KensaClient {
  /** The `data` of a JSON answer. @throws KensaError */
  request<T>(method: string, path: string, body?: unknown): Promise<T>;
  uploadItems(files: readonly UploadFile[], fields: Readonly<Record<string, string>>): Promise<string[]>;
  /** @throws KensaError where the training fails or is cancelled. */
  waitForModel(modelId: string, onProgress?: (text: string) => void): Promise<TrainedModel>;
  /** Waits until each item is judged. */
  waitForItems(itemIds: readonly string[], onProgress?: (done: number) => void): Promise<AssessedItem[]>;
}

const pollMs = 200;
const tokenMarginMs = 30_000;

/** A client of a running service; gets and renews its access token by itself. */
export function createKensaClient({ baseUrl, clientId, clientSecret }: ClientOptions): KensaClient {
  const origin = baseUrl.replace(/\/+$/, '');
  let token: { value: string; expiresAt: number } | undefined;

  const getToken = async (): Promise<string> => {
    if (token && Date.now() < token.expiresAt - tokenMarginMs) return token.value;
    const credentials = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    const response = await fetch(`${origin}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    const answer = (await readAnswer(response)) as { access_token: string; expires_in: number };
    token = { value: answer.access_token, expiresAt: Date.now() + answer.expires_in * 1000 };
    return token.value;
  };

  const send = async (method: string, path: string, body?: FormData | string): Promise<unknown> => {
    const headers: Record<string, string> = { authorization: `Bearer ${await getToken()}` };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    return readAnswer(await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
  };

  const request = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
    return (answer as { data: T } | undefined)?.data as T;
  };

  return {
    request,
    async uploadItems(files, fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const file of files) form.append('files', new Blob([new Uint8Array(file.bytes)]), file.name);
      const answer = (await send('POST', '/api/v1/items/', form)) as { data: { item_ids: string[] } };
      return answer.data.item_ids;
    },
    async waitForModel(modelId, onProgress) {
      for (;;) {
        const model = await request<TrainedModel>('GET', `/api/v1/models/${modelId}`);
        onProgress?.(model.status_text);
        if (model.status === 'ready') return model;
        if (model.status !== 'queued' && model.status !== 'training') {
          throw new KensaError(200, model, `Model ${model.name} is ${model.status}: ${model.status_text}`);
        }
        await pause();
      }
    },
    async waitForItems(itemIds, onProgress) {
      const done = new Map<string, AssessedItem>();
      for (;;) {
        for (const itemId of itemIds.filter((id) => !done.has(id))) {
          const item = await request<AssessedItem>('GET', `/api/v1/items/${itemId}`);
          if (item.status === 'queued' || item.status === 'processing') break;
          done.set(itemId, item);
        }
        onProgress?.(done.size);
        if (done.size === itemIds.length) return itemIds.flatMap((id) => done.get(id) ?? []);
        await pause();
      }
    },
  };
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return body;
  const detail = (body as { errors?: { title?: string; detail?: string } } | undefined)?.errors;
  throw new KensaError(response.status, body, detail?.detail ?? detail?.title ?? `HTTP ${response.status}`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollMs));
}
