import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Binary, Id, Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { arrayQuery } from '../../http/request-hooks.ts';
import { ModelIdParams, ModelIdsQuery } from '../models/models.schemas.ts';
import type { ResultsService } from './results.service.ts';

const Score = Type.Number({ minimum: 0, maximum: 1, description: 'on the scale of anomaly_score' });

const ScoresQuery = Shape('ScoresQuery', {
  count: Type.Integer({ minimum: 1, maximum: 20_000, default: 5_000, description: 'newest verdicts at most' }),
});

const ScoredItem = Shape('ScoredItem', {
  item_id: Type.String(),
  name: Type.String(),
  score: Score,
  result: Type.String({ description: 'OK or NG, at the threshold of its prediction' }),
  user_result: Nullable(Type.String({ description: 'OK or NG, by a person' })),
  thumbnail_url: Nullable(Type.String()),
});

const ModelScores = Shape('ModelScores', {
  threshold: Type.Number({ description: 'in force now' }),
  held_out: Shape('HeldOutScores', {
    good: Type.Array(Score, { description: 'good training images, each scored by a model that had not seen it' }),
    ng: Type.Array(Score),
  }),
  items: Type.Array(ScoredItem, { description: 'predicted items that are not for training, newest first' }),
  total: Int32({ description: 'verdicts of the model in all' }),
});

const TrainingItemsQuery = Shape('TrainingItemsQuery', {
  without_model_id: Type.Optional(Id('a model; items that it learned from, too, are not listed')),
  count: Type.Integer({ minimum: 1, maximum: 1_000, default: 24, description: 'newest items at most' }),
});

const ModelTrainingItems = Shape('ModelTrainingItems', {
  items: Type.Array(
    Shape('ModelTrainingItem', {
      item_id: Type.String(),
      name: Type.String(),
      user_result: Nullable(Type.String({ description: 'OK or NG, by a person, as of now' })),
      thumbnail_url: Nullable(Type.String()),
    }),
  ),
  total: Int32({ description: 'items in all; those that were deleted since are not counted' }),
});

export function resultsRoutes(results: ResultsService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Inspection targets');
  return async (app) => {
    app.post(
      '/api/v1/targets/model/results',
      {
        preValidation: arrayQuery('model_ids'),
        ...operation('getModelResults', 'Results of models as CSV; no model_ids: of all models', {
          role: 'viewer',
          querystring: ModelIdsQuery,
          response: { 200: Binary('application/octet-stream', 'CSV, RFC 4180, one row per item image and model') },
          errors: [404, 422],
        }),
      },
      async ({ query, headers }, reply) => {
        const csv = await results.openCsv(query.model_ids);
        const asText = headers.accept?.includes('text/csv') === true;
        return reply
          .header('content-type', asText ? 'text/csv; charset=utf-8' : 'application/octet-stream')
          .header('content-disposition', 'attachment; filename="kensa-results.csv"')
          .send(Readable.from(csv) as never);
      },
    );
    app.get(
      '/api/v1/models/:model_id/scores',
      operationsOf('Models')('getModelScores', 'ext: scores of held-out and of predicted items, to find a threshold', {
        role: 'viewer',
        params: ModelIdParams,
        querystring: ScoresQuery,
        answer: ModelScores,
        errors: [404, 422],
      }),
      async ({ params, query }) => ({ data: await results.getScores(params.model_id, query.count) }),
    );
    app.get(
      '/api/v1/models/:model_id/training-items',
      operationsOf('Models')('getModelTrainingItems', 'ext: the items that a model learned from', {
        role: 'viewer',
        params: ModelIdParams,
        querystring: TrainingItemsQuery,
        answer: ModelTrainingItems,
        errors: [404, 422],
      }),
      async ({ params, query }) => ({
        data: await results.getTrainingItems(params.model_id, query.without_model_id, query.count),
      }),
    );
  };
}
