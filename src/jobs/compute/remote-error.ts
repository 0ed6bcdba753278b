import { AppError } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { VisionError, type VisionErrorCode } from '../../vision/vision-error.ts';

/** An error on its way from one process to another. */
export interface RemoteError {
  /** Of a VisionError; absent: anything else. */
  readonly vision?: { readonly code: VisionErrorCode; readonly detail: Message };
  readonly message: string;
  readonly stack?: string;
}

export function toRemoteError(error: unknown): RemoteError {
  if (error instanceof VisionError)
    return { vision: { code: error.code, detail: error.detail }, message: error.message };
  if (error instanceof Error) return { message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
  return { message: String(error) };
}

/** A VisionError again; AppError `compute-failed` for other errors, which are not the input's fault. */
export function fromRemoteError(remote: RemoteError): Error {
  if (remote.vision) return new VisionError(remote.vision.code, remote.vision.detail);
  const cause = Object.assign(new Error(remote.message), remote.stack ? { stack: remote.stack } : {});
  return new AppError('compute-failed', { reason: say('compute.failed', { details: remote.message }) }, { cause });
}

/** @param lastWords what a process wrote before it died, for the log. */
export function computeFailed(reason: Message, lastWords = ''): AppError {
  return new AppError('compute-failed', { reason }, lastWords === '' ? {} : { cause: new Error(lastWords) });
}
