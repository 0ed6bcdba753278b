import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import { CallbackOverview, CallbacksQuery, CallbackTest, PredictCallback } from './callbacks.schemas.ts';
import type { CallbacksService } from './callbacks.service.ts';

export function callbacksRoutes(callbacks: CallbacksService): FastifyPluginAsyncTypebox {
  const tags = ['Models'];
  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/update_predict_callback',
      {
        config: { invalidInput: 'invalid-parameters' },
        schema: {
          operationId: 'setModelPredictCallback',
          tags,
          summary: 'The URL that is called after each prediction',
          params: ModelIdParams,
          body: PredictCallback,
          response: { 200: Data(PredictCallback), ...errorResponses(400) },
        },
      },
      async ({ params, body }) => ({ data: await callbacks.setCallback(params.model_id, body) }),
    );
    app.get(
      '/api/v1/models/:model_id/callbacks',
      {
        schema: {
          operationId: 'getCallbacks',
          tags,
          summary: 'ext: the callback, its signing key and its deliveries, newest first',
          params: ModelIdParams,
          querystring: CallbacksQuery,
          response: { 200: Data(CallbackOverview), ...errorResponses(404, 422) },
        },
      },
      async (request) => ({
        data: await callbacks.getOverview(
          request.params.model_id,
          request.query.page,
          request.query.count,
          languageOf(request),
        ),
      }),
    );
    app.post(
      '/api/v1/models/:model_id/callbacks/test',
      {
        schema: {
          operationId: 'testCallback',
          tags,
          summary: 'ext: call the receiver now with a made-up item',
          params: ModelIdParams,
          response: { 200: Data(CallbackTest), ...errorResponses(404, 422) },
        },
      },
      async (request) => ({ data: await callbacks.testCallback(request.params.model_id, languageOf(request)) }),
    );
  };
}
