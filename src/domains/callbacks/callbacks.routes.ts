import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { DateTime, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { languageOf } from '../../http/language.ts';
import { operationsOf } from '../../http/operation.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import { StationIdParams } from '../stations/stations.schemas.ts';
import type { CallbacksService } from './callbacks.service.ts';

const PredictCallback = Shape('PredictCallback', {
  callback_url: Type.Optional(
    Type.String({ maxLength: 2000, description: 'called after a prediction completes; empty: no callback' }),
  ),
  callback_method: Type.Optional(Type.Enum(['post', 'get'], { type: 'string' })),
});

const CallbackDelivery = Shape('CallbackDelivery', {
  delivery_id: Type.String(),
  item_id: Type.String(),
  status: Type.String({ description: 'pending, delivered or dead' }),
  attempts: Int32({ description: 'tries so far, at most 8' }),
  last_status: Nullable(Int32({ description: 'status that the receiver answered' })),
  last_error: Nullable(Type.String()),
  last_tried_at: Nullable(DateTime()),
  next_try_at: Nullable(DateTime()),
  created_at: DateTime(),
});

const CallbackOverview = Shape('CallbackOverview', {
  callback_url: Type.String(),
  callback_method: Type.String(),
  secret: Type.String({ description: 'key of the signature in webhook-signature, see Standard Webhooks' }),
  pending: Int32(),
  delivered: Int32(),
  dead: Int32(),
  deliveries: Type.Array(CallbackDelivery),
});

const { item_id, status, attempts, last_status, last_error, last_tried_at, next_try_at, created_at } =
  CallbackDelivery.properties;
const StationDelivery = Shape('StationDelivery', {
  delivery_id: Type.String(),
  output: Type.String({ description: 'kind of the output' }),
  item_id,
  status,
  attempts,
  last_status,
  last_error,
  last_tried_at,
  next_try_at,
  created_at,
});

const { secret, pending, delivered, dead } = CallbackOverview.properties;
const StationDeliveries = Shape('StationDeliveries', {
  secret,
  pending,
  delivered,
  dead,
  deliveries: Type.Array(StationDelivery),
});

const CallbackTest = Shape('CallbackTest', {
  delivered: Type.Boolean(),
  status: Nullable(Int32({ description: 'status that the receiver answered' })),
  error: Nullable(Type.String()),
  duration_ms: Int32(),
});

const CallbacksQuery = Type.Object(
  {
    count: Int32({ minimum: 1, maximum: 200, default: 50 }),
    page: Int32({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  },
  { additionalProperties: false },
);

export function callbacksRoutes(callbacks: CallbacksService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/update_predict_callback',
      {
        config: { invalidInput: 'invalid-parameters' },
        ...operation('setModelPredictCallback', 'The URL that is called after each prediction', {
          role: 'engineer',
          params: ModelIdParams,
          body: PredictCallback,
          answer: PredictCallback,
          errors: [400],
        }),
      },
      async ({ params, body }) => ({ data: await callbacks.setCallback(params.model_id, body) }),
    );
    app.get(
      '/api/v1/models/:model_id/callbacks',
      operation('getCallbacks', 'ext: the callback, its signing key and its deliveries, newest first', {
        role: 'engineer',
        params: ModelIdParams,
        querystring: CallbacksQuery,
        answer: CallbackOverview,
        errors: [404, 422],
      }),
      async (request) => {
        const { page, count } = request.query;
        return { data: await callbacks.getOverview(request.params.model_id, page, count, languageOf(request)) };
      },
    );
    app.get(
      '/api/v1/stations/:station_id/deliveries',
      operationsOf('Stations')('getStationDeliveries', 'ext: what a station has sent and has to send, newest first', {
        role: 'engineer',
        params: StationIdParams,
        querystring: CallbacksQuery,
        answer: StationDeliveries,
        errors: [404, 422],
      }),
      async (request) => {
        const { page, count } = request.query;
        const { station_id: stationId } = request.params;
        return { data: await callbacks.getStationDeliveries(stationId, page, count, languageOf(request)) };
      },
    );
    app.post(
      '/api/v1/models/:model_id/callbacks/test',
      operation('testCallback', 'ext: call the receiver now with a made-up item', {
        role: 'engineer',
        params: ModelIdParams,
        answer: CallbackTest,
        errors: [404, 422],
      }),
      async (request) => ({ data: await callbacks.testCallback(request.params.model_id, languageOf(request)) }),
    );
  };
}
