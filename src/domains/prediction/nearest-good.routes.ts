import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operationsOf } from '../../http/operation.ts';
import { ItemIdParams } from '../items/items.schemas.ts';
import { NearestGood, NearestGoodQuery } from './nearest-good.schemas.ts';
import type { NearestGoodService } from './nearest-good.service.ts';

export function nearestGoodRoutes(nearest: NearestGoodService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Items');
  return async (app) => {
    app.get(
      '/api/v1/items/:item_id/nearest-good',
      operation('findNearestGood', 'ext: the good training image that is most like a place of the item', {
        role: 'viewer',
        params: ItemIdParams,
        querystring: NearestGoodQuery,
        answer: NearestGood,
        errors: [404, 422],
      }),
      async ({ params, query }) => ({ data: await nearest.findNearestGood(params.item_id, query) }),
    );
  };
}
