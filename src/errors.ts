import { type ErrorCode, type ErrorDetail, errorCatalogue } from './error-catalogue.ts';
import { type Language, type Message, render, say } from './messages/message.ts';
import type { MessageValues, Slots } from './vision/message.ts';
import { VisionError } from './vision/vision-error.ts';

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
type AppErrorArguments<Code extends ErrorCode> = [Slots<ErrorDetail<Code>>] extends [never]
  ? [values?: Record<string, never>, options?: AppErrorOptions]
  : [values: MessageValues<ErrorDetail<Code>>, options?: AppErrorOptions];

/** An error that a caller can act on. Anything else that is thrown is answered as `internal`. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: Code;
  /** Code and values of the detail. */
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
    return errorCatalogue[this.code].status;
  }

  title(language: Language): string {
    return errorCatalogue[this.code].title[language];
  }
}

type InvalidInput = 'invalid-request' | 'invalid-parameters';

const shownProblems = 10;

/** Bad fields of a request. The detail names the first of them. */
export function fieldErrors(code: InvalidInput, problems: readonly FieldProblem[]): AppError {
  const all = problems.flatMap(({ key, errors }) => errors.map((problem) => say('field.at', { key, problem })));
  return new AppError(code, { reason: all.slice(0, shownProblems) }, { problems: problems.slice(0, 50) });
}

/** One bad field of a request. */
export function fieldError(code: InvalidInput, key: string, problem: Message): AppError {
  return fieldErrors(code, [{ key, errors: [problem] }]);
}

/** What an error says to a person. The words of an unforeseen one are not ours. */
export function messageOf(error: unknown): Message {
  if (error instanceof AppError || error instanceof VisionError) return error.detail;
  return say('text', { text: error instanceof Error ? error.message : String(error) });
}
