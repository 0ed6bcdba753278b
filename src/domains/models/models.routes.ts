import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { languageOf } from '../../http/language.ts';
import { operationsOf } from '../../http/operation.ts';
import { arrayQuery } from '../../http/request-hooks.ts';
import { getAlgorithm } from '../algorithms/algorithms.service.ts';
import { generateModelEvents } from './model-events.ts';
import { Model, ModelIdParams, ModelIds, ModelIdsQuery, ModelsQuery, PredictParameters } from './models.schemas.ts';
import type { ModelsService } from './models.service.ts';

export function modelsRoutes(models: ModelsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.get(
      '/api/v1/models/',
      operation('getModels', 'All models, newest first', {
        role: 'viewer',
        querystring: ModelsQuery,
        answer: Type.Array(Model),
        errors: [422],
      }),
      async ({ query }) => {
        if (query.algorithm_id !== undefined) getAlgorithm(query.algorithm_id);
        return { data: await models.listModels(query.algorithm_id) };
      },
    );
    app.delete(
      '/api/v1/models/',
      {
        preValidation: arrayQuery('model_ids'),
        ...operation('deleteModels', 'Delete models, all or none', {
          role: 'engineer',
          querystring: ModelIdsQuery,
          answer: ModelIds,
          errors: [422],
        }),
      },
      async ({ query }) => ({ data: { model_ids: await models.deleteModels(query.model_ids ?? []) } }),
    );
    app.get(
      '/api/v1/models/:model_id',
      operation('getModelById', 'One model', { role: 'viewer', params: ModelIdParams, answer: Model, errors: [404] }),
      async ({ params }) => ({ data: await models.getModelView(params.model_id) }),
    );
    app.post(
      '/api/v1/models/:model_id/update_predict_parameters',
      {
        config: { invalidInput: 'invalid-parameters' },
        ...operation('setModelPredictParameters', 'Threshold, margins and least area of its verdicts', {
          role: 'engineer',
          params: ModelIdParams,
          body: PredictParameters,
          answer: PredictParameters,
          errors: [400],
        }),
      },
      async ({ params, body }) => ({ data: await models.setPredictParameters(params.model_id, body) }),
    );
    app.post(
      '/api/v1/models/:model_id/activate',
      operation('activateModel', 'ext: make it the model that "active" stands for', {
        role: 'engineer',
        params: ModelIdParams,
        answer: Model,
        errors: [404, 422],
      }),
      async ({ params }) => ({ data: await models.activate(params.model_id) }),
    );
    app.post(
      '/api/v1/models/:model_id/cancel',
      operation('cancelTraining', 'ext: stop a training', {
        role: 'engineer',
        params: ModelIdParams,
        answer: Model,
        errors: [404, 422],
      }),
      async ({ params }) => ({ data: await models.cancelTraining(params.model_id) }),
    );
    const stopping = new AbortController();
    // An open stream must not delay the end of the service.
    app.addHook('preClose', async () => stopping.abort());
    app.get(
      '/api/v1/models/:model_id/events',
      operation('getModelEvents', 'ext: progress of a training as server-sent events', {
        role: 'viewer',
        params: ModelIdParams,
        response: {
          200: {
            description: 'events "progress" and "end", each with the model as JSON',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
        errors: [404],
      }),
      async (request, reply) => {
        const { model_id: modelId } = await models.requireModel(request.params.model_id);
        const readModel = async () => {
          const model = await models.findModel(modelId);
          return model && models.viewOf(model);
        };
        const events = Readable.from(generateModelEvents(readModel, stopping.signal, languageOf(request)));
        return reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          .send(events as never);
      },
    );
  };
}
