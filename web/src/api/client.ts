import { currentLanguage } from '../i18n/language.ts';
import { session } from './session.ts';

export interface FieldProblem {
  readonly key: string;
  readonly errors: readonly string[];
}

/** An error that the server answered with, in the language of the page. */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  readonly problems: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, title: string, detail: string, problems: readonly FieldProblem[], retryAfter?: number) {
    super(detail);
    this.status = status;
    this.title = title;
    this.problems = problems;
    this.retryAfterSeconds = retryAfter;
  }
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
  readonly accept?: string;
}

/** Sends a request with the session's token. @throws ApiError for any answer but success. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? 'application/json' };
  headers['accept-language'] = currentLanguage();
  const token = session.get().session?.token;
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (options.json !== undefined) headers['content-type'] = 'application/json';
  const body = options.form ?? (options.json === undefined ? null : JSON.stringify(options.json));
  const response = await fetch(path, {
    method: options.method ?? 'GET',
    headers,
    body,
    signal: options.signal ?? null,
    keepalive: options.keepalive ?? false,
  });
  if (response.ok) return response;
  const error = await readError(response);
  if (response.status === 401 && token !== undefined) session.expire();
  throw error;
}

/** Sends a request and reads `data` of the answer. */
export async function request<T>(path: string, options?: RequestOptions): Promise<T> {
  const response = await send(path, options);
  const text = await response.text();
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
}

async function readError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  const body = (await response.json().catch(() => undefined)) as
    | { errors?: { title?: string; detail?: string; message?: FieldProblem[] } }
    | undefined;
  const { title, detail, message } = body?.errors ?? {};
  const fallback = `${response.status} ${response.statusText}`;
  return new ApiError(response.status, title ?? fallback, detail ?? fallback, message ?? [], retryAfter);
}

/** Links may carry the public address of the service; the page loads them from where it came itself. */
export function localUrl(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export async function logIn(clientId: string, clientSecret: string): Promise<void> {
  const response = await send('/api/auth/token', {
    method: 'POST',
    json: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  session.begin({ token, clientId });
}

/** Saves an answer as a file of the browser. */
export async function download(path: string, fileName: string, options?: RequestOptions): Promise<void> {
  const blob = await (await send(path, options)).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
