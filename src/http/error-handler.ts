import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type FieldProblem, fieldErrors } from '../errors.ts';
import { type Language, render, say } from '../messages/message.ts';
import { findStorageFailure } from '../storage-failure.ts';
import { describeSchemaErrors, type SchemaError } from '../vision/schema-problems.ts';
import { VisionError } from '../vision/vision-error.ts';
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

/** The contract's one error body, with our code of the error. */
function errorBody(error: AppError, pointer: string, language: Language) {
  const byKey = new Map<string, Set<string>>();
  for (const { key, errors } of error.problems) {
    const texts = errors.map((problem) => render(problem, language));
    byKey.set(key, new Set([...(byKey.get(key) ?? []), ...texts]));
  }
  return {
    errors: {
      code: error.code,
      values: error.detail.values,
      message: Array.from(byKey, ([key, texts]) => ({ key, errors: [...texts] })),
      status: error.status,
      detail: render(error.detail, language),
      source: { pointer },
      title: error.title(language),
    },
  };
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

interface ConnectionError extends Error {
  readonly code?: string;
  /** A buffer, although the framework's types name another type. */
  readonly rawPacket?: unknown;
}

/** Answers what cannot be read as HTTP with the one error body, too. The framework has no request for it. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known = describeConnectionError(error);
  if (socket.writable) {
    const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
    const pointer = /^[A-Z]+ ([^ ?]+)/.exec(packet)?.[1] ?? '';
    const language = languageOf({ headers: { 'accept-language': /^accept-language:(.*)$/im.exec(packet)?.[1] } });
    const body = JSON.stringify(errorBody(known, pointer, language));
    const head = [
      `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

function describeConnectionError({ code }: ConnectionError): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request-timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers-too-large');
  return new AppError('malformed-request', { reason: say('request.cut-off') });
}
