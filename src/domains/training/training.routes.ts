import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { AlgorithmIdParams } from '../algorithms/algorithms.schemas.ts';
import { Model, ModelIdParams } from '../models/models.schemas.ts';
import { TrainRequest } from './training.schemas.ts';
import type { TrainingService } from './training.service.ts';

export function trainingRoutes(training: TrainingService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/api/v1/algorithms/:algorithm_id/train',
      {
        schema: {
          operationId: 'train',
          tags: ['Algorithms'],
          summary: 'Train a model in the background',
          params: AlgorithmIdParams,
          body: TrainRequest,
          response: { 200: Data(Model), ...errorResponses(404, 422) },
        },
      },
      async ({ params, body }) => ({ data: await training.train(params.algorithm_id, body) }),
    );
    app.post(
      '/api/v1/models/:model_id/cancel',
      {
        schema: {
          operationId: 'cancelTraining',
          tags: ['Models'],
          summary: 'ext: stop a training',
          params: ModelIdParams,
          response: { 200: Data(Model), ...errorResponses(404, 422) },
        },
      },
      async ({ params }) => ({ data: await training.cancel(params.model_id) }),
    );
  };
}
