import Type, { type Static } from 'typebox';
import { IdList, Shape } from '../../http/common-schemas.ts';

export const AssessItemsBody = Shape('AssessItemsBody', {
  item_ids: IdList('items'),
  good: Type.Optional(
    Type.Boolean({ description: 'the verdict; good removes regions, NG keeps those that there are' }),
  ),
  is_training_data: Type.Optional(Type.Boolean({ description: 'whether they are items to learn from' })),
  active: Type.Optional(Type.Boolean({ description: 'false: left out of trainings that name no items' })),
});

export type AssessItemsInput = Static<typeof AssessItemsBody>;
