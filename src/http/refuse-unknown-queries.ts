import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** For operations that take no query: what they would ignore is refused by name, as it is in every schema. */
export async function refuseUnknownQueries(request: FastifyRequest): Promise<void> {
  const { url, schema, config } = request.routeOptions;
  if (url?.startsWith('/api/') !== true || schema?.querystring !== undefined) return;
  const errors = ['is not a field of this operation. Remove it.'];
  const problems = Object.keys(request.query as object).map((key) => ({ key, errors }));
  if (problems.length === 0) return;
  const reason = problems.map(({ key }) => `${key}: ${errors[0]}`).join(' ');
  throw new AppError(config.invalidInput ?? 'invalid-request', { reason }, { problems: problems.slice(0, 50) });
}
