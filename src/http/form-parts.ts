import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { say } from '../messages/message.ts';

type PartsOptions = Parameters<FastifyRequest['parts']>[0];
export type FormPart = Awaited<ReturnType<ReturnType<FastifyRequest['parts']>['next']>>['value'];

/**
 * The parts of a multipart body, one by one.
 * @throws AppError `malformed-body` if it is cut off or is not a form.
 */
export async function* formParts(request: FastifyRequest, options: PartsOptions): AsyncGenerator<FormPart> {
  try {
    for await (const part of request.parts(options)) {
      // The parser accepts parts without a name.
      if (typeof part.fieldname !== 'string') throw new Error('a part has no name');
      yield part;
    }
  } catch (error) {
    throw toFormError(error);
  }
}

/** Errors of the parser carry no code. Errors of the disk or the connection do, and stay as they are. */
export function toFormError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || 'statusCode' in error) return error;
  return new AppError('malformed-body', { reason: say('body.no-form') }, { cause: error });
}
