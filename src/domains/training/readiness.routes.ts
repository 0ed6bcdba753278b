import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { AlgorithmIdParams } from '../algorithms/algorithms.schemas.ts';
import { Readiness, ReadinessRequest } from './readiness.schemas.ts';
import type { ReadinessService } from './readiness.service.ts';

export function readinessRoutes(readiness: ReadinessService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/api/v1/algorithms/:algorithm_id/readiness',
      {
        schema: {
          operationId: 'checkReadiness',
          tags: ['Algorithms'],
          summary: 'ext: how many items a training would learn from, and what looks odd about them',
          params: AlgorithmIdParams,
          body: ReadinessRequest,
          response: { 200: Data(Readiness), ...errorResponses(404, 422) },
        },
      },
      async ({ params, body }) => ({ data: await readiness.checkReadiness(params.algorithm_id, body.item_ids) }),
    );
  };
}
