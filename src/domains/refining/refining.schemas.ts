import Type, { type Static } from 'typebox';
import { Id, Shape } from '../../http/common-schemas.ts';

export const RefineRequest = Shape('RefineRequest', {
  item_ids: Type.Optional(
    Type.Array(Id('item'), {
      ...{ minItems: 1, maxItems: 200, uniqueItems: true },
      description:
        'items with a verdict of a person; absent: all whose verdict is newer than the training and differs from the model',
    }),
  ),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
  activate: Type.Optional(
    Type.Boolean({ description: 'take the place of the model when that is active; true where absent' }),
  ),
});

export type RefineRequestInput = Static<typeof RefineRequest>;
