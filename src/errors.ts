import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

/** Complaints about one field of the request: what is wrong, the value received, what to do. */
export interface FieldProblem {
  readonly key: string;
  readonly errors: readonly string[];
}

export type Language = 'en' | 'ja';

/** An error that a caller can act on. Anything else that is thrown is answered as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly values: Readonly<Record<string, string | number>>;
  readonly problems: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    values: Readonly<Record<string, string | number>> = {},
    options: { problems?: readonly FieldProblem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(fillIn(errorCatalogue[code].detail.en, values), { cause: options.cause });
    this.code = code;
    this.values = values;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  title(language: Language): string {
    return errorCatalogue[this.code].title[language];
  }

  detail(language: Language): string {
    return fillIn(errorCatalogue[this.code].detail[language], this.values);
  }
}

/** One bad field of a request. */
export function fieldError(code: 'invalid-request' | 'invalid-parameters', key: string, problem: string): AppError {
  return new AppError(code, { reason: `${key}: ${problem}` }, { problems: [{ key, errors: [problem] }] });
}

function fillIn(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
