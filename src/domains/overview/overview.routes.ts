import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { Item } from '../items/items.schemas.ts';
import { Model } from '../models/models.schemas.ts';
import type { OverviewService } from './overview.service.ts';

const OverviewQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'start of the reader’s day; absent: 24 hours ago' }),
    ),
  },
  { additionalProperties: false },
);

const TrainingCounts = Shape('TrainingCounts', { good: Int32(), ng: Int32(), unjudged: Int32() });
const InspectedCounts = Shape('InspectedCounts', {
  items: Int32({ description: 'items that are not for training' }),
  assessed: Int32({ description: 'items that a model judged' }),
  judged: Int32({ description: 'items that a person judged' }),
  ng_unjudged: Int32({ description: 'items that a model calls NG and nobody has judged' }),
  disagreements: Int32({ description: 'items where person and model differ' }),
  failed: Int32({ description: 'predictions that failed for good' }),
});

const Overview = Shape('Overview', {
  active_model: Nullable(Model),
  training: TrainingCounts,
  inspected: InspectedCounts,
  recent: Shape('RecentVerdicts', {
    ok: Int32({ description: 'items by their newest verdict, since the time asked for' }),
    ng: Int32(),
  }),
  queue: Shape('QueueFigures', { waiting: Int32(), running: Int32() }),
  last_verdicts: Type.Array(Item, { description: 'the items judged last, newest first' }),
});

export function overviewRoutes(overview: OverviewService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Overview');
  return async (app) => {
    app.get(
      '/api/v1/overview',
      operation('getOverview', 'ext: the active model, counts, last verdicts and the queue', {
        querystring: OverviewQuery,
        answer: Overview,
        errors: [422],
      }),
      async ({ query }) => ({ data: await overview.getOverview(query.since) }),
    );
  };
}
