import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { errorResponses } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { generateModelEvents } from './model-events.ts';
import { ModelIdParams } from './models.schemas.ts';
import type { ModelsService } from './models.service.ts';

export function modelEventsRoutes(models: ModelsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    const stopping = new AbortController();
    // A stream that is open must not hold up the end of the service.
    app.addHook('preClose', async () => stopping.abort());

    app.get(
      '/api/v1/models/:model_id/events',
      {
        schema: {
          operationId: 'getModelEvents',
          tags: ['Models'],
          summary: 'ext: progress of a training as server-sent events',
          params: ModelIdParams,
          response: {
            200: {
              description: 'events "progress" and "end", each with the model as JSON',
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            },
            ...errorResponses(404),
          },
        },
      },
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
