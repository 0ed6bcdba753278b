import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Data } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import {
  DeletedStation,
  NewStation,
  Station,
  StationChanges,
  StationIdParams,
  StationModel,
  StationTest,
  StationTestResult,
} from './stations.schemas.ts';
import type { StationsService } from './stations.service.ts';

export function stationsRoutes(stations: StationsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Stations');
  return async (app) => {
    app.get(
      '/api/v1/stations/',
      operation('getStations', 'ext: all stations with their state', { role: 'viewer', answer: Type.Array(Station) }),
      async () => ({ data: await stations.listStations() }),
    );
    app.post(
      '/api/v1/stations/',
      operation('createStation', 'ext: make a station', {
        role: 'engineer',
        body: NewStation,
        response: { 201: Data(Station) },
        errors: [422],
      }),
      async ({ body }, reply) => reply.status(201).send({ data: await stations.createStation(body) }),
    );
    app.post(
      '/api/v1/stations/test',
      operation('testStation', 'ext: try settings of a station, and store nothing', {
        role: 'engineer',
        body: StationTest,
        answer: StationTestResult,
        errors: [404, 422],
      }),
      async ({ body }) => ({ data: await stations.testSettings(body) }),
    );
    app.get(
      '/api/v1/stations/:station_id',
      operation('getStationById', 'ext: a station with its last item, its queue and its fault', {
        role: 'viewer',
        params: StationIdParams,
        answer: Station,
        errors: [404],
      }),
      async ({ params }) => ({ data: await stations.getStation(params.station_id) }),
    );
    app.put(
      '/api/v1/stations/:station_id',
      operation('updateStation', 'ext: change its settings; what is not sent stays', {
        role: 'engineer',
        params: StationIdParams,
        body: StationChanges,
        answer: Station,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await stations.updateStation(params.station_id, body) }),
    );
    app.put(
      '/api/v1/stations/:station_id/model',
      operation('setStationModel', 'ext: change over to another model, which is opened first', {
        role: 'engineer',
        params: StationIdParams,
        body: StationModel,
        answer: Station,
        errors: [404, 422],
      }),
      async ({ params, body }) => ({ data: await stations.setModel(params.station_id, body.model_id) }),
    );
    app.delete(
      '/api/v1/stations/:station_id',
      operation('deleteStation', 'ext: delete a station; its items stay', {
        role: 'engineer',
        params: StationIdParams,
        answer: DeletedStation,
        errors: [404],
      }),
      async ({ params }) => ({ data: { station_id: await stations.deleteStation(params.station_id) } }),
    );
  };
}
