import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { ServerStatus } from './status.schemas.ts';
import type { StatusService } from './status.service.ts';

export function statusRoutes(status: StatusService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/status',
      {
        schema: {
          operationId: 'getStatus',
          tags: ['Utilities'],
          summary: 'ext: versions, workers, queue and what is stored',
          response: { 200: Data(ServerStatus), ...errorResponses() },
        },
      },
      async (request) => ({ data: await status.getStatus(languageOf(request)) }),
    );
  };
}
