import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operationsOf } from '../../http/operation.ts';
import { AlgorithmIdParams } from '../algorithms/algorithms.service.ts';
import { Model, ModelIdParams } from '../models/models.schemas.ts';
import { Readiness, ReadinessRequest, RefineRequest, TrainRequest } from './training.schemas.ts';
import type { TrainingService } from './training.service.ts';

export function trainingRoutes(training: TrainingService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Algorithms');
  return async (app) => {
    app.post(
      '/api/v1/algorithms/:algorithm_id/readiness',
      operation('checkReadiness', 'ext: how many items a training would learn from, and what is unusual about them', {
        role: 'viewer',
        params: AlgorithmIdParams,
        body: ReadinessRequest,
        answer: Readiness,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await training.checkReadiness(params.algorithm_id, body) }),
    );
    app.post(
      '/api/v1/algorithms/:algorithm_id/train',
      operation('train', 'Train a model in the background', {
        role: 'engineer',
        params: AlgorithmIdParams,
        body: TrainRequest,
        answer: Model,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await training.train(params.algorithm_id, body) }),
    );
    app.post(
      '/api/v1/models/:model_id/refine',
      operationsOf('Models')(
        'refineModel',
        'ext: make a new version that agrees with the verdicts of persons on the given items, without training again',
        { role: 'engineer', params: ModelIdParams, body: RefineRequest, answer: Model, errors: [404, 409, 422] },
      ),
      async ({ params, body }) => ({ data: await training.refine(params.model_id, body) }),
    );
  };
}
