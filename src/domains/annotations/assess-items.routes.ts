import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, errorResponses } from '../../http/common-schemas.ts';
import { ItemIds } from '../items/items.schemas.ts';
import { AssessItemsBody } from './assess-items.schemas.ts';
import type { AssessItemsService } from './assess-items.service.ts';

export function assessItemsRoutes(assessments: AssessItemsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/api/v1/items/assess',
      {
        schema: {
          operationId: 'assessItems',
          tags: ['Items'],
          summary: 'ext: judge many items at once, or change what they are used for; all or none',
          body: AssessItemsBody,
          response: { 200: Data(ItemIds), ...errorResponses(404, 422) },
        },
      },
      async ({ body }) => ({ data: { item_ids: await assessments.assessItems(body) } }),
    );
  };
}
