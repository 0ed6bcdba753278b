import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Empty } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { ItemIdParams, ItemIds } from '../items/items.schemas.ts';
import { AnnotateBody, AssessedItems, AssessItemsBody, SetVerdictsBody } from './annotations.schemas.ts';
import type { AnnotationsService } from './annotations.service.ts';

export function annotationsRoutes(annotations: AnnotationsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Items');
  return async (app) => {
    app.patch(
      '/api/v1/items/:item_id',
      operation('annotate', 'Replace the regions and the verdict of the user', {
        role: 'inspector',
        params: ItemIdParams,
        body: AnnotateBody,
        response: { 202: Empty('accepted') },
        errors: [404, 422],
      }),
      async ({ params, body }, reply) => {
        await annotations.annotate(params.item_id, body);
        return reply.status(202).send();
      },
    );
    app.post(
      '/api/v1/items/assess',
      operation('assessItems', 'ext: give many items a verdict at once, or change their use; all or none', {
        role: 'inspector',
        body: AssessItemsBody,
        answer: AssessedItems,
        errors: [404, 422],
      }),
      async ({ body }) => ({ data: await annotations.assessItems(body) }),
    );
    app.put(
      '/api/v1/items/verdicts',
      operation(
        'setVerdicts',
        'ext: give each item its own verdict and regions, or take its verdict back; all or none',
        {
          role: 'inspector',
          body: SetVerdictsBody,
          answer: ItemIds,
          errors: [404, 422],
        },
      ),
      async ({ body }) => ({ data: { item_ids: await annotations.setVerdicts(body.verdicts) } }),
    );
  };
}
