import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operationsOf } from '../../http/operation.ts';
import { AlgorithmIdParams } from '../algorithms/algorithms.schemas.ts';
import { Model } from '../models/models.schemas.ts';
import type { ReadinessService } from './readiness.service.ts';
import { Readiness, ReadinessRequest, TrainRequest } from './training.schemas.ts';
import type { TrainingService } from './training.service.ts';

export function trainingRoutes(dependencies: {
  training: TrainingService;
  readiness: ReadinessService;
}): FastifyPluginAsyncTypebox {
  const { training, readiness } = dependencies;
  const operation = operationsOf('Algorithms');
  return async (app) => {
    app.post(
      '/api/v1/algorithms/:algorithm_id/readiness',
      operation('checkReadiness', 'ext: how many items a training would learn from, and what is unusual about them', {
        params: AlgorithmIdParams,
        body: ReadinessRequest,
        answer: Readiness,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await readiness.checkReadiness(params.algorithm_id, body.item_ids) }),
    );
    app.post(
      '/api/v1/algorithms/:algorithm_id/train',
      operation('train', 'Train a model in the background', {
        params: AlgorithmIdParams,
        body: TrainRequest,
        answer: Model,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await training.train(params.algorithm_id, body) }),
    );
  };
}
