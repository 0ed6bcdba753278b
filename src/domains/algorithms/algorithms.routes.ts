import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { operationsOf } from '../../http/operation.ts';
import { algorithms } from '../../vision/algorithms/catalogue.ts';
import { Algorithm, AlgorithmIdParams, getAlgorithm, viewAlgorithm } from './algorithms.service.ts';

const operation = operationsOf('Algorithms');

export const algorithmsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/api/v1/algorithms/',
    operation('getAlgorithms', 'The catalogue', { role: 'viewer', answer: Type.Array(Algorithm) }),
    async () => ({ data: algorithms.map(viewAlgorithm) }),
  );
  app.get(
    '/api/v1/algorithms/:algorithm_id',
    operation('getAlgorithmById', 'One algorithm with its parameters', {
      role: 'viewer',
      params: AlgorithmIdParams,
      answer: Algorithm,
      errors: [404],
    }),
    async ({ params }) => ({ data: viewAlgorithm(getAlgorithm(params.algorithm_id)) }),
  );
};
