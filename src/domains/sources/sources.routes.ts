import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Binary } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { FtpLogin, StationIdParams } from '../stations/stations.schemas.ts';
import type { StationsService } from '../stations/stations.service.ts';
import type { SourcesService } from './sources.service.ts';

export function sourcesRoutes({
  sources,
  stations,
}: {
  sources: SourcesService;
  stations: StationsService;
}): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Stations');
  return async (app) => {
    app.post(
      '/api/v1/stations/:station_id/ftp_login',
      operation('renewFtpLogin', 'ext: give its camera a new password for FTP, which is shown once', {
        role: 'engineer',
        params: StationIdParams,
        answer: FtpLogin,
        errors: [404, 422],
      }),
      async ({ params }) => ({ data: await sources.renewLogin(await stations.requireStation(params.station_id)) }),
    );
    app.get(
      '/api/v1/stations/:station_id/preview',
      operation('previewStation', 'ext: what its camera sees just now, as JPEG; nothing is stored', {
        role: 'viewer',
        params: StationIdParams,
        response: { 200: Binary('image/jpeg', 'the newest image of the camera') },
        errors: [404, 409],
      }),
      async ({ params }, reply) => {
        const image = sources.previewImage(await stations.requireStation(params.station_id));
        return reply
          .type('image/jpeg')
          .header('cache-control', 'no-store')
          .send(image as never);
      },
    );
  };
}
