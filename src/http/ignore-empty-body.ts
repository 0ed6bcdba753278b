import type { FastifyRequest } from 'fastify';

/** For every route: clients name a content type even where they send nothing, and nothing is no malformed body. */
export async function ignoreEmptyBody({ headers }: FastifyRequest): Promise<void> {
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
  // A form says by its type alone that it is one.
  if (isEmpty && headers['content-type']?.startsWith('multipart/') !== true) delete headers['content-type'];
}
