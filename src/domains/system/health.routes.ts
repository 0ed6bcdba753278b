import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import { DateTime, Shape } from '../../http/common-schemas.ts';

/** For load balancers and monitoring: without a token, and without confidential content. */
export function healthRoutes(dependencies: {
  isReady: () => Promise<boolean>;
  /** Stations whose source does not work. They do not make the server unready. */
  listFaults: () => Promise<{ station_id: string; code: string; since: string }[]>;
  /** Whether images cannot be stored: the disk is full or gone, or is short while nothing may be removed. */
  isDiskShort: () => Promise<boolean>;
  outputs: () => { mqtt: 'off' | 'connected' | 'away'; modbus: 'off' | 'listening' };
  metrics: Registry;
}): FastifyPluginAsyncTypebox {
  const Status = Type.Object({ status: Type.String() });
  const Readiness = Shape('ServerReadiness', {
    status: Type.String(),
    disk: Type.Optional(
      Type.Enum(['ok', 'short'], {
        type: 'string',
        description:
          'ext: short where uploads are refused with 507, because retention may remove nothing; all else works',
      }),
    ),
    mqtt: Type.Optional(
      Type.Enum(['off', 'connected', 'away'], { type: 'string', description: 'ext: the broker; away: results wait' }),
    ),
    modbus: Type.Optional(Type.Enum(['off', 'listening'], { type: 'string', description: 'ext' })),
    faults: Type.Optional(
      Type.Array(Shape('SourceFault', { station_id: Type.String(), code: Type.String(), since: DateTime() }), {
        description: 'ext: stations whose source does not work; absent without any',
      }),
    ),
  });
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
        schema: { operationId: 'readyz', tags: ['Health'], security: [], response: { 200: Readiness, 503: Status } },
      },
      async (_request, reply) => {
        if (!(await dependencies.isReady())) return reply.status(503).send({ status: 'starting' });
        const [faults, isShort] = await Promise.all([dependencies.listFaults(), dependencies.isDiskShort()]);
        const disk = isShort ? ('short' as const) : ('ok' as const);
        return { status: 'ready', disk, ...dependencies.outputs(), ...(faults.length > 0 ? { faults } : {}) };
      },
    );
    app.get('/metrics', { logLevel: 'silent', schema: { hide: true } }, async (_request, reply) =>
      reply.type(dependencies.metrics.contentType).send(await dependencies.metrics.metrics()),
    );
  };
}
