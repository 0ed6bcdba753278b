/** What the service answered instead of a success. `status` is 0 where there was no answer. */
export class KensaError extends Error {
  override readonly name = 'KensaError';
  readonly status: number;
  readonly body: unknown;
  /** Seconds after which it makes sense to ask again, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export async function readError(response: Response): Promise<KensaError> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Something between client and service answered.
  }
  const errors = (body as { errors?: { title?: string; detail?: string } } | null)?.errors;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = errors?.detail ?? errors?.title ?? `HTTP ${response.status}`;
  return new KensaError(response.status, body, message, Number.isNaN(retryAfter) ? undefined : retryAfter);
}
