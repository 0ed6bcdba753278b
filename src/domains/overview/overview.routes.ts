import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { Overview, OverviewQuery } from './overview.schemas.ts';
import type { OverviewService } from './overview.service.ts';

export function overviewRoutes(overview: OverviewService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/v1/overview',
      {
        schema: {
          operationId: 'getOverview',
          tags: ['Overview'],
          summary: 'ext: what stands where: active model, counts, last verdicts, queue',
          querystring: OverviewQuery,
          response: { 200: Data(Overview), ...errorResponses(422) },
        },
      },
      async ({ query }) => ({ data: await overview.getOverview(query.since) }),
    );
  };
}
