import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { algorithms } from '../../vision/algorithms/catalogue.ts';
import { Algorithm, AlgorithmIdParams } from './algorithms.schemas.ts';
import { getAlgorithm, viewAlgorithm } from './algorithms.service.ts';

export const algorithmsRoutes: FastifyPluginAsyncTypebox = async (app) => {
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
    async () => ({ data: algorithms.map(viewAlgorithm) }),
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
    async ({ params }) => ({ data: viewAlgorithm(getAlgorithm(params.algorithm_id)) }),
  );
};
