import Type, { type Static } from 'typebox';
import { Int32, Nullable, Shape } from '../../http/common-schemas.ts';

const Score = Type.Number({ minimum: 0, maximum: 1, description: 'on the scale of anomaly_score' });

export const ScoresQuery = Type.Object(
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

export const ModelScores = Shape('ModelScores', {
  threshold: Type.Number({ description: 'in force now' }),
  held_out: Shape('HeldOutScores', {
    good: Type.Array(Score, { description: 'good training images, each scored by a model that had not seen it' }),
    ng: Type.Array(Score),
  }),
  items: Type.Array(ScoredItem, { description: 'predicted items that are not for training, newest first' }),
  total: Int32({ description: 'verdicts of the model in all' }),
});

export type ModelScoresView = Static<typeof ModelScores>;
