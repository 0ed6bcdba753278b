import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { ItemIdsBody } from '../items/items.schemas.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import type { PredictionService } from './prediction.service.ts';

const PredictResponse = Shape('PredictResponse', {
  model_version: Type.String(),
  item_ids: Type.Array(Type.String()),
});

export function predictionRoutes(predictions: PredictionService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.post(
      '/api/v1/models/:model_id/predict',
      operation('predictItems', 'Predict items in the background; "active" stands for the active model', {
        role: 'inspector',
        params: ModelIdParams,
        body: ItemIdsBody,
        answer: PredictResponse,
        errors: [400, 404, 413, 425],
      }),
      async ({ params, body }) => ({ data: await predictions.predict(params.model_id, body.item_ids) }),
    );
  };
}
