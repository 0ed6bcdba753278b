import Type, { type Static } from 'typebox';
import { Id, Int32, Shape } from '../../http/common-schemas.ts';

export const TrainRequest = Shape('TrainRequest', {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
  item_ids: Type.Optional(
    Type.Array(Id('item'), { maxItems: 1_000_000, description: 'absent: all active training items' }),
  ),
  override_params: Type.Optional(
    Type.Array(
      Shape('ParameterOverride', {
        algorithm_parameter_id: Int32(),
        value: Type.String({ maxLength: 1000 }),
      }),
      { maxItems: 1000 },
    ),
  ),
});

export type TrainRequestInput = Static<typeof TrainRequest>;
