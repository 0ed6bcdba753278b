import { type Language, type Message, render, say } from './messages/message.ts';
import type { serverTexts } from './messages/server-texts.ts';
import type { MessageValues, Slots } from './vision/message.ts';
import { VisionError } from './vision/vision-error.ts';

/** Every error that Kensa answers with, and its status. `src/messages` has a title and a detail for each. */
export const errorStatuses = {
  'invalid-request': 422,
  'invalid-parameters': 400,
  'malformed-body': 400,
  'malformed-request': 400,
  'request-timeout': 408,
  'headers-too-large': 431,
  'unsupported-media-type': 415,
  'credentials-invalid': 401,
  'token-missing': 401,
  'token-invalid': 401,
  'session-ended': 401,
  'sign-in-refused': 401,
  'request-forged': 403,
  'sso-refused': 401,
  'sso-no-role': 403,
  'sso-unavailable': 503,
  'pin-refused': 401,
  'pin-locked': 403,
  'pin-not-allowed': 403,
  'password-needed': 403,
  'signature-invalid': 403,
  'role-insufficient': 403,
  'license-required': 403,
  'path-not-found': 404,
  'item-not-found': 404,
  'images-removed': 422,
  'item-held': 409,
  'model-not-found': 404,
  'model-not-available': 400,
  'model-not-ready': 422,
  'model-state-conflict': 409,
  'nothing-to-teach': 422,
  'refining-not-supported': 422,
  'algorithm-not-found': 404,
  'target-not-found': 404,
  'station-not-found': 404,
  'user-not-found': 404,
  'client-not-found': 404,
  'terminal-not-found': 404,
  'last-admin': 409,
  'reason-required': 428,
  'station-not-ready': 409,
  'retention-not-found': 404,
  'retention-in-use': 422,
  'hold-not-found': 404,
  'station-no-trigger': 409,
  'inspection-failed': 422,
  'file-not-found': 404,
  'file-removed': 410,
  'target-in-use': 422,
  'upload-too-large': 413,
  'image-invalid': 422,
  'training-data-insufficient': 422,
  'import-refused': 422,
  'license-invalid': 422,
  'server-busy': 425,
  'too-many-items': 413,
  'rate-limited': 429,
  overloaded: 503,
  'compute-failed': 500,
  'storage-damaged': 500,
  'storage-unavailable': 503,
  'storage-full': 507,
  internal: 500,
} as const satisfies Partial<Record<keyof typeof serverTexts, number>>;

export type ErrorCode = keyof typeof errorStatuses;

/** Complaints about one field of the request: what is wrong, the value received, what to do. */
export interface FieldProblem {
  readonly key: string;
  readonly errors: readonly Message[];
}

interface AppErrorOptions extends ErrorOptions {
  readonly problems?: readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
}

/** Values may be absent where the text of the error has none. */
type AppErrorArguments<Code extends ErrorCode> = [Slots<(typeof serverTexts)[Code]>] extends [never]
  ? [values?: Record<string, never>, options?: AppErrorOptions]
  : [values: MessageValues<(typeof serverTexts)[Code]>, options?: AppErrorOptions];

/** An error that a caller can act on. Anything else that is thrown is answered as `internal`. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: Code;
  readonly detail: Message;
  readonly problems: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, ...[values, options]: AppErrorArguments<Code>) {
    const detail = { code, values: values ?? {} };
    super(render(detail, 'en'), { cause: options?.cause });
    this.code = code;
    this.detail = detail;
    this.problems = options?.problems ?? [];
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }

  get status(): number {
    return errorStatuses[this.code];
  }

  title(language: Language): string {
    const code: keyof typeof serverTexts = `${this.code}.title`;
    return render({ code, values: {} }, language);
  }
}

type InvalidInput = 'invalid-request' | 'invalid-parameters';

const shownProblems = 10;

/** Bad fields of a request. The detail names the first of them. */
export function fieldErrors(code: InvalidInput, problems: readonly FieldProblem[]): AppError {
  const all = problems.flatMap(({ key, errors }) => errors.map((problem) => say('field.at', { key, problem })));
  return new AppError(code, { reason: all.slice(0, shownProblems) }, { problems: problems.slice(0, 50) });
}

export function fieldError(code: InvalidInput, key: string, problem: Message): AppError {
  return fieldErrors(code, [{ key, errors: [problem] }]);
}

/** The message of an error to a person. The words of other errors come from libraries, in English. */
export function messageOf(error: unknown): Message {
  if (error instanceof AppError || error instanceof VisionError) return error.detail;
  return say('unforeseen', { details: error instanceof Error ? error.message : String(error) });
}
