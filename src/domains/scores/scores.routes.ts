import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import { ModelIdParams } from '../models/models.schemas.ts';
import type { ScoresService } from './scores.service.ts';

const Score = Type.Number({ minimum: 0, maximum: 1, description: 'on the scale of anomaly_score' });

const ScoresQuery = Type.Object(
  { count: Type.Integer({ minimum: 1, maximum: 20_000, default: 5_000, description: 'newest verdicts at most' }) },
  { additionalProperties: false },
);

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

export function scoresRoutes(scores: ScoresService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Models');
  return async (app) => {
    app.get(
      '/api/v1/models/:model_id/scores',
      operation('getModelScores', 'ext: scores of held-out and of predicted items, to find a threshold', {
        params: ModelIdParams,
        querystring: ScoresQuery,
        answer: ModelScores,
        errors: [404, 422],
      }),
      async ({ params, query }) => ({ data: await scores.getScores(params.model_id, query.count) }),
    );
  };
}
