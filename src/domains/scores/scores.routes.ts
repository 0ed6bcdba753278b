import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import { ModelScores, ScoresQuery } from './scores.schemas.ts';
import type { ScoresService } from './scores.service.ts';

export function scoresRoutes(scores: ScoresService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/models/:model_id/scores',
      {
        schema: {
          operationId: 'getModelScores',
          tags: ['Models'],
          summary: 'ext: scores of held-out and of predicted items, to find a threshold',
          params: ModelIdParams,
          querystring: ScoresQuery,
          response: { 200: Data(ModelScores), ...errorResponses(404, 422) },
        },
      },
      async ({ params, query }) => ({ data: await scores.getScores(params.model_id, query.count) }),
    );
  };
}
