import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Binary, DateTime, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { operationsOf } from '../../http/operation.ts';
import { Item } from '../items/items.schemas.ts';
import { Model } from '../models/models.schemas.ts';
import type { DebugLogsService } from './debug-logs.service.ts';
import type { OverviewService } from './overview.service.ts';
import type { StatusService } from './status.service.ts';

const ServerStatus = Shape('ServerStatus', {
  version: Type.String(),
  node_version: Type.String(),
  platform: Type.String(),
  database: Type.String({ description: 'sqlite or postgres' }),
  started_at: DateTime(),
  memory_mb: Int32({ description: 'of the server process' }),
  workers: Int32({ description: 'compute processes for predictions' }),
  queue: Type.Array(Shape('QueueOfKind', { kind: Type.String(), waiting: Int32(), running: Int32(), failed: Int32() })),
  items: Int32(),
  images: Int32(),
  image_bytes: Type.Integer({ description: 'of the images as uploaded' }),
  models: Int32(),
  license: Shape('LicenseState', {
    required: Type.Boolean({ description: 'whether the vendor asks for one' }),
    customer: Nullable(Type.String()),
    expiry: Nullable(Type.String({ description: 'ISO 8601' })),
    problem: Nullable(Type.String({ description: 'why there is no valid one' })),
  }),
});

const OverviewQuery = Shape('OverviewQuery', {
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'start of the reader’s day; absent: 24 hours ago' }),
  ),
  target_id: Type.Optional(Int32({ minimum: 1, description: 'one product, an inspection target; absent: all' })),
});

const Overview = Shape('Overview', {
  active_model: Nullable(Model),
  training: Shape('TrainingCounts', { good: Int32(), ng: Int32(), unjudged: Int32() }),
  inspected: Shape('InspectedCounts', {
    items: Int32({ description: 'items that are not for training' }),
    assessed: Int32({ description: 'items that a model judged' }),
    judged: Int32({ description: 'items that a person judged' }),
    ng_unjudged: Int32({ description: 'items that an active model calls NG and nobody has judged' }),
    disagreements: Int32({ description: 'items where a person and an active model differ' }),
    failed: Int32({ description: 'items whose last prediction failed for good' }),
  }),
  to_review: Type.Array(
    Shape('ProductToReview', {
      target_id: Int32(),
      model_id: Type.String({ description: 'the active model of the product' }),
      ng_unjudged: Int32({ description: 'items that this model calls NG and nobody has judged' }),
      disagreements: Int32({ description: 'items where a person and this model differ' }),
    }),
    { description: 'the two counts that depend on the active model, of each product that has one' },
  ),
  recent: Shape('RecentVerdicts', {
    ok: Int32({
      description:
        'items by their first verdict, of those that got it since the time asked for; a later inspection changes nothing',
    }),
    ng: Int32(),
  }),
  queue: Shape('QueueFigures', { waiting: Int32(), running: Int32() }),
  last_verdicts: Type.Array(Item, { description: 'the items judged last, newest first' }),
});

/** The state of the service and of the inspection. */
export function systemRoutes(dependencies: {
  status: StatusService;
  overview: OverviewService;
  debugLogs: DebugLogsService;
}): FastifyPluginAsyncTypebox {
  const { status, overview, debugLogs } = dependencies;
  const utility = operationsOf('Utilities');
  return async (app) => {
    app.get(
      '/api/v1/overview',
      operationsOf('Overview')('getOverview', 'ext: the active model, counts, last verdicts and the queue', {
        role: 'viewer',
        querystring: OverviewQuery,
        answer: Overview,
        errors: [422],
      }),
      async ({ query }) => ({ data: await overview.getOverview(query) }),
    );
    app.get(
      '/api/v1/status',
      utility('getStatus', 'ext: versions, workers, queue and what is stored', {
        role: 'viewer',
        answer: ServerStatus,
      }),
      async (request) => ({ data: await status.getStatus(languageOf(request)) }),
    );
    app.post(
      '/api/v1/utils/debug',
      utility('getLogs', 'Logs and figures for support, as a zip file', {
        role: 'engineer',
        response: { 200: Binary('application/octet-stream', 'zip file') },
      }),
      async (_request, reply) =>
        reply
          .header('content-type', 'application/octet-stream')
          .header('content-disposition', 'attachment; filename="kensa-debug.zip"')
          .send((await debugLogs.openZip()) as never),
    );
  };
}
