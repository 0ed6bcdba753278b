import type { FastifyRequest } from 'fastify';
import { fieldErrors } from '../errors.ts';
import { say } from '../messages/message.ts';

/** For operations that take no query: what they would ignore is refused by name, as it is in every schema. */
export async function refuseUnknownQueries(request: FastifyRequest): Promise<void> {
  const { url, schema, config } = request.routeOptions;
  if (url?.startsWith('/api/') !== true || schema?.querystring !== undefined) return;
  const problems = Object.keys(request.query as object).map((key) => ({ key, errors: [say('field.unknown')] }));
  if (problems.length > 0) throw fieldErrors(config.invalidInput ?? 'invalid-request', problems);
}
