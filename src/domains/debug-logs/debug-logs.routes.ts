import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Binary } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import type { DebugLogsService } from './debug-logs.service.ts';

export function debugLogsRoutes(debugLogs: DebugLogsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Utilities');
  return async (app) => {
    app.post(
      '/api/v1/utils/debug',
      operation('getLogs', 'Logs and figures for support, as a zip file', {
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
