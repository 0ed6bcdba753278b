import type { FastifyRequest } from 'fastify';
import { fieldErrors } from '../errors.ts';
import { say } from '../messages/message.ts';

/** Operations without a query refuse each query field by name. */
export async function refuseUnknownQueries(request: FastifyRequest): Promise<void> {
  const { url, schema, config } = request.routeOptions;
  if (url?.startsWith('/api/') !== true || schema?.querystring !== undefined) return;
  const problems = Object.keys(request.query as object).map((key) => ({ key, errors: [say('field.unknown')] }));
  if (problems.length > 0) throw fieldErrors(config.invalidInput ?? 'invalid-request', problems);
}
