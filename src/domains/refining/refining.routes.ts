import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { Model, ModelIdParams } from '../models/models.schemas.ts';
import { RefineRequest } from './refining.schemas.ts';
import type { RefiningService } from './refining.service.ts';

export function refiningRoutes(refining: RefiningService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/refine',
      {
        schema: {
          operationId: 'refineModel',
          tags: ['Models'],
          summary:
            'ext: make a new version that agrees with the verdicts of persons on the given items, without training again',
          params: ModelIdParams,
          body: RefineRequest,
          response: { 200: Data(Model), ...errorResponses(404, 409, 422) },
        },
      },
      async ({ params, body }) => ({ data: await refining.refine(params.model_id, body) }),
    );
  };
}
