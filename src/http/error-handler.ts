import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type Language } from '../errors.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { VisionError } from '../vision/vision-error.ts';
import { errorBody } from './error-body.ts';
import { maxFields, maxFiles } from './uploads.ts';
import { describeValidation } from './validation-problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What bad input is answered with here; 422 unless the contract names 400. */
    invalidInput?: 'invalid-request' | 'invalid-parameters';
  }
}

/** For what the framework refuses before there is a route: a path that cannot be decoded. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const reason = `the path cannot be decoded (${error.message}).`;
  sendError(new AppError('malformed-request', { reason }, { cause: error }), request, reply);
}

/** Gives every error, those of the framework included, the one body of the contract. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toAppError(error, request);
    if (known.status >= 500) request.log.error({ err: error }, 'request failed');
    return sendError(known, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    return sendError(new AppError('path-not-found', { method: request.method, path }), request, reply);
  });
}

const tooManyParts = `it may have at most ${maxFiles} files and ${maxFields} other fields`;

function toAppError(error: FastifyError | AppError | VisionError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const code = request.routeOptions.config.invalidInput ?? 'invalid-request';
  if (error instanceof VisionError) {
    const problems = [{ key: 'value', errors: [error.message] }];
    return new AppError(code, { reason: error.message }, { problems, cause: error });
  }
  if (error.validation) {
    const problems = describeValidation(error.validation, error.validationContext ?? 'body');
    const reason = problems.map((problem) => `${problem.key}: ${problem.errors.join(' ')}`).join(' ');
    return new AppError(code, { reason }, { problems });
  }
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return new AppError('unsupported-media-type', { received: request.headers['content-type'] ?? 'none' });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('upload-too-large', { name: 'The body', reason: 'split the request into smaller ones' });
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new AppError('upload-too-large', { name: 'The form', reason: tooManyParts });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('malformed-body', { reason: 'it is not valid JSON.' });
    default:
  }
  if (error.statusCode === 429) return new AppError('rate-limited', { seconds: 60 }, { retryAfterSeconds: 60 });
  if (error.statusCode === 503) return new AppError('overloaded', {}, { retryAfterSeconds: 5 });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('malformed-body', { reason: error.message });
  }
  return findStorageFailure(error) ?? new AppError('internal', { request: request.id }, { cause: error });
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language: Language = prefersJapanese(request.headers['accept-language']) ? 'ja' : 'en';
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="kensa"');
  return reply
    .status(error.status)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(errorBody(error, pathOf(request), language));
}

function prefersJapanese(header: string | undefined): boolean {
  const first = header?.split(',')[0]?.trim().toLowerCase();
  return first === 'ja' || first?.startsWith('ja-') === true || first?.startsWith('ja;') === true;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
