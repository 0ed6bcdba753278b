import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operationsOf } from '../../http/operation.ts';
import { Model, ModelIdParams } from '../models/models.schemas.ts';
import { RefineRequest } from './refining.schemas.ts';
import type { RefiningService } from './refining.service.ts';

export function refiningRoutes(refining: RefiningService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/refine',
      operation(
        'refineModel',
        'ext: make a new version that agrees with the verdicts of persons on the given items, without training again',
        { params: ModelIdParams, body: RefineRequest, answer: Model, errors: [404, 409, 422] },
      ),
      async ({ params, body }) => ({ data: await refining.refine(params.model_id, body) }),
    );
  };
}
