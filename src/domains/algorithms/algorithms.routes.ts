import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { Algorithm, AlgorithmIdParams } from './algorithms.schemas.ts';
import type { AlgorithmsService } from './algorithms.service.ts';

export function algorithmsRoutes(algorithms: AlgorithmsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/algorithms/',
      {
        schema: {
          operationId: 'getAlgorithms',
          tags: ['Algorithms'],
          summary: 'The catalogue',
          response: { 200: Data(Type.Array(Algorithm)), ...errorResponses() },
        },
      },
      async () => ({ data: algorithms.listAlgorithms() }),
    );
    app.get(
      '/api/v1/algorithms/:algorithm_id',
      {
        schema: {
          operationId: 'getAlgorithmById',
          tags: ['Algorithms'],
          summary: 'One algorithm with its parameters',
          params: AlgorithmIdParams,
          response: { 200: Data(Algorithm), ...errorResponses(404) },
        },
      },
      async ({ params }) => ({ data: algorithms.getAlgorithmView(params.algorithm_id) }),
    );
  };
}
