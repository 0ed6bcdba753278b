import Type, { type Static } from 'typebox';
import { Int32, Nullable, Shape } from '../../http/common-schemas.ts';
import { Item } from '../items/items.schemas.ts';
import { Model } from '../models/models.schemas.ts';

export const OverviewQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'start of the reader’s day; absent: 24 hours ago' }),
    ),
  },
  { additionalProperties: false },
);

const TrainingCounts = Shape('TrainingCounts', { good: Int32(), ng: Int32(), unjudged: Int32() });
const InspectedCounts = Shape('InspectedCounts', {
  items: Int32({ description: 'items that are not for training' }),
  ok: Int32({ description: 'verdicts of models' }),
  ng: Int32(),
  judged: Int32({ description: 'items that a person judged' }),
  disagreements: Int32({ description: 'items where person and model differ' }),
  failed: Int32({ description: 'items whose last prediction failed' }),
});

export const Overview = Shape('Overview', {
  active_model: Nullable(Model),
  training: TrainingCounts,
  inspected: InspectedCounts,
  recent: Shape('RecentVerdicts', { ok: Int32({ description: 'verdicts since the time asked for' }), ng: Int32() }),
  queue: Shape('QueueFigures', { waiting: Int32(), running: Int32() }),
  last_verdicts: Type.Array(Item, { description: 'the items judged last, newest first' }),
});

export type OverviewView = Static<typeof Overview>;
