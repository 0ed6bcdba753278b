import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Data, Empty, errorResponses } from '../../http/common-schemas.ts';
import { ItemIdParams, ItemIds } from '../items/items.schemas.ts';
import { AnnotateBody, AssessItemsBody } from './annotations.schemas.ts';
import type { AnnotationsService } from './annotations.service.ts';

export function annotationsRoutes(annotations: AnnotationsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/api/v1/items/:item_id',
      {
        schema: {
          operationId: 'annotate',
          tags: ['Items'],
          summary: 'Replace the regions and the verdict of the user',
          params: ItemIdParams,
          body: AnnotateBody,
          response: { 202: Empty('accepted'), ...errorResponses(404, 422) },
        },
      },
      async ({ params, body }, reply) => {
        await annotations.annotate(params.item_id, body);
        return reply.status(202).send();
      },
    );
    app.post(
      '/api/v1/items/assess',
      {
        schema: {
          operationId: 'assessItems',
          tags: ['Items'],
          summary: 'ext: give many items a verdict at once, or change their use; all or none',
          body: AssessItemsBody,
          response: { 200: Data(ItemIds), ...errorResponses(404, 422) },
        },
      },
      async ({ body }) => ({ data: { item_ids: await annotations.assessItems(body) } }),
    );
  };
}
