import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type FieldProblem, fieldErrors } from '../errors.ts';
import { say } from '../messages/message.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { describeSchemaErrors, type SchemaError } from '../vision/schema-problems.ts';
import { VisionError } from '../vision/vision-error.ts';
import { errorBody } from './error-body.ts';
import { languageOf } from './language.ts';
import { maxFields, maxFiles } from './uploads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error code for bad input of the route: 422 unless the contract names 400. */
    invalidInput?: 'invalid-request' | 'invalid-parameters';
  }
}

/** Answers a path that cannot be decoded. The framework refuses it before it looks for a route. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendError(new AppError('malformed-request', { reason: say('request.path') }, { cause: error }), request, reply);
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

function toAppError(error: FastifyError | AppError | VisionError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const code = request.routeOptions.config.invalidInput ?? 'invalid-request';
  if (error instanceof VisionError) {
    const problems = [{ key: 'value', errors: [error.detail] }];
    return new AppError(code, { reason: error.detail }, { problems, cause: error });
  }
  if (error.validation) return fieldErrors(code, describeValidation(error));
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return new AppError('unsupported-media-type', { received: request.headers['content-type'] ?? 'none' });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('upload-too-large', { name: say('upload.body'), reason: say('upload.split') });
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new AppError('upload-too-large', {
        name: say('upload.form'),
        reason: say('upload.parts', { files: maxFiles, fields: maxFields }),
      });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('malformed-body', { reason: say('body.no-json') });
    default:
  }
  if (error.statusCode === 503) return new AppError('overloaded', {}, { retryAfterSeconds: 5 });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('malformed-body', { reason: say('body.refused') }, { cause: error });
  }
  return findStorageFailure(error) ?? new AppError('internal', { request: request.id }, { cause: error });
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="kensa"');
  return reply
    .status(error.status)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(errorBody(error, pathOf(request), languageOf(request)));
}

/** What Ajv reports with `verbose`: also the value and its schema. */
interface VerboseError extends SchemaError {
  readonly parentSchema?: { readonly properties?: object };
}

function describeValidation({ validation, validationContext = 'body' }: FastifyError): FieldProblem[] {
  const errors = (validation as unknown as VerboseError[]).map(({ parentSchema, ...error }) => ({
    ...error,
    known: Object.keys(parentSchema?.properties ?? {}),
  }));
  return describeSchemaErrors(errors).map(({ key, problem }) => ({ key: key || validationContext, errors: [problem] }));
}
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
