export interface FieldProblem {
  /** The field, parameter or file that is at fault. */
  readonly key: string;
  readonly errors: readonly string[];
}

interface ErrorFields {
  readonly title?: string;
  readonly detail?: string;
  readonly message?: readonly FieldProblem[];
}

/** The answer of the service if it was no success. `status` is 0 if there was no answer. */
export class KensaError extends Error {
  override readonly name = 'KensaError';
  readonly status: number;
  readonly body: unknown;
  /** Seconds after which it makes sense to ask again, if the service says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** The kind of error in a few words; `message` says what was wrong this time. */
  get title(): string {
    return fieldsOf(this.body).title ?? `HTTP ${this.status}`;
  }

  get problems(): readonly FieldProblem[] {
    return fieldsOf(this.body).message ?? [];
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
  const { title, detail } = fieldsOf(body);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = detail ?? title ?? `HTTP ${response.status}`;
  return new KensaError(response.status, body, message, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function fieldsOf(body: unknown): ErrorFields {
  return (body as { errors?: ErrorFields } | null | undefined)?.errors ?? {};
}
