import type { FastifyRequest } from 'fastify';

/** For every route. Clients name a content type even without a body, which the framework would call malformed. */
export async function ignoreEmptyBody({ headers }: FastifyRequest): Promise<void> {
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
  // Routes that take forms need the type.
  if (isEmpty && headers['content-type']?.startsWith('multipart/') !== true) delete headers['content-type'];
}
