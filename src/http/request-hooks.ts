import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler, preValidationHookHandler } from 'fastify';
import { type Caller, runAs } from '../caller.ts';
import { AppError, fieldError, fieldErrors } from '../errors.ts';
import { say } from '../messages/message.ts';
import { nameOfRole } from '../messages/value-names.ts';
import { mayAct } from '../roles.ts';
import { type PageSessionOptions, readCookie, refuseForged, sessionCookie } from './page-session.ts';

export function addRequestHooks(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', ignoreEmptyBody);
  app.addHook('preValidation', refuseUnknownQueries);
  app.addHook('preHandler', refuseZeroCharacters);
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.caller) runAs(request.caller, done);
    else done();
  });
}

/** Clients name a content type even without a body, which the framework would call malformed. */
async function ignoreEmptyBody({ headers }: FastifyRequest): Promise<void> {
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
  // Routes that take forms need the type.
  if (isEmpty && headers['content-type']?.startsWith('multipart/') !== true) delete headers['content-type'];
}

/** Operations without a query refuse each query field by name. */
async function refuseUnknownQueries(request: FastifyRequest): Promise<void> {
  const { url, schema, config } = request.routeOptions;
  if (url?.startsWith('/api/') !== true || schema?.querystring !== undefined) return;
  const problems = Object.keys(request.query as object).map((key) => ({ key, errors: [say('field.unknown')] }));
  if (problems.length > 0) throw fieldErrors(config.invalidInput ?? 'invalid-request', problems);
}

/** PostgreSQL cannot store a zero character, so SQLite must not either: data may move. */
async function refuseZeroCharacters(request: FastifyRequest): Promise<void> {
  for (const part of [request.params, request.query, request.body]) {
    const key = findZeroCharacter(part, '');
    if (key === undefined) continue;
    const code = request.routeOptions.config.invalidInput ?? 'invalid-request';
    throw fieldError(code, key, say('field.zero-character'));
  }
}

/** Its place in a parsed body or query, such as `annotations.0.notes`. */
function findZeroCharacter(value: unknown, key: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? key || 'body' : undefined;
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = key ? `${key}.${name}` : name;
    const found = name.includes('\0') ? key || 'body' : findZeroCharacter(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

/**
 * Refuses a request without a valid access token or session, and one whose operation needs another role.
 * @param verifyToken throws an AppError where the token is not valid
 */
export function createAuthenticate(dependencies: {
  verifyToken(token: string): Promise<Caller>;
  findSession(id: string): Promise<Caller | undefined>;
  page: PageSessionOptions;
}): preHandlerAsyncHookHandler {
  const { verifyToken, findSession, page } = dependencies;

  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const cookie = readCookie(request, sessionCookie);
    if (request.headers.authorization === undefined && cookie !== undefined) {
      if (request.method !== 'GET' && request.method !== 'HEAD') refuseForged(request, page);
      const caller = await findSession(cookie);
      if (!caller) throw new AppError('session-ended');
      return caller;
    }
    const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw new AppError('token-missing');
    return verifyToken(token);
  };

  return async (request: FastifyRequest) => {
    const caller = await identify(request);
    const needed = request.routeOptions.schema?.['x-role'];
    if (needed === undefined || needed === 'open') throw new Error(`${request.url} has no role.`);
    if (!mayAct(caller.role, needed)) {
      const [role, least] = [nameOfRole(caller.role), nameOfRole(needed)];
      throw new AppError('role-insufficient', { role, needed: least });
    }
    request.caller = { ...caller, reason: readReason(request) };
  };
}

const longestReason = 500;

/** Why the caller does it: percent-encoded, since headers have no letters beyond ASCII. */
function readReason({ headers }: FastifyRequest): string | undefined {
  const header = [headers['x-reason']].flat().join(' ').trim();
  if (header === '') return undefined;
  try {
    const reason = decodeURIComponent(header).trim();
    if (reason !== '' && reason.length <= longestReason && !reason.includes('\0')) return reason;
  } catch {
    // The error below says what is wrong.
  }
  throw fieldError('invalid-request', 'X-Reason', say('field.reason', { limit: longestReason }));
}

/** Accepts `name=a&name=b`, `name[]=a` and `name=a,b` for the query fields named. */
export function arrayQuery(...names: string[]): preValidationHookHandler {
  return (request: FastifyRequest, _reply, done) => {
    const query = request.query as Record<string, unknown>;
    for (const name of names) {
      const given = [query[name], query[`${name}[]`]].flat().filter((value) => typeof value === 'string');
      delete query[`${name}[]`];
      if (given.length > 0) query[name] = given.flatMap((value) => value.split(',')).filter((value) => value !== '');
    }
    done();
  };
}
