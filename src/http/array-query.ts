import type { FastifyRequest, preValidationHookHandler } from 'fastify';

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
