import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { DateTime, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { operationsOf } from '../../http/operation.ts';
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

export function statusRoutes(status: StatusService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Utilities');
  return async (app) => {
    app.get(
      '/api/v1/status',
      operation('getStatus', 'ext: versions, workers, queue and what is stored', { answer: ServerStatus }),
      async (request) => ({ data: await status.getStatus(languageOf(request)) }),
    );
  };
}
