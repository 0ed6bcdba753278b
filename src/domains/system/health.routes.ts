import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Registry } from 'prom-client';
import Type from 'typebox';

/** For load balancers and monitoring: without a token, and without confidential content. */
export function healthRoutes(dependencies: {
  isReady: () => Promise<boolean>;
  metrics: Registry;
}): FastifyPluginAsyncTypebox {
  const Status = Type.Object({ status: Type.String() });
  return async (app) => {
    app.get(
      '/healthz',
      {
        logLevel: 'silent',
        schema: { operationId: 'healthz', tags: ['Health'], security: [], response: { 200: Status } },
      },
      async () => ({ status: 'ok' }),
    );
    app.get(
      '/readyz',
      {
        logLevel: 'silent',
        schema: { operationId: 'readyz', tags: ['Health'], security: [], response: { 200: Status, 503: Status } },
      },
      async (_request, reply) =>
        (await dependencies.isReady()) ? { status: 'ready' } : reply.status(503).send({ status: 'starting' }),
    );
    app.get('/metrics', { logLevel: 'silent', schema: { hide: true } }, async (_request, reply) =>
      reply.type(dependencies.metrics.contentType).send(await dependencies.metrics.metrics()),
    );
  };
}
