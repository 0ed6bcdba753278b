import Type, { type Static } from 'typebox';
import { Id, Int32, Nullable, Shape, StatusMessage } from '../../http/common-schemas.ts';
import { ItemImageMeta } from '../items/items.schemas.ts';

export const NearestGoodQuery = Type.Object(
  {
    model_id: Id('the model that is asked; "active" stands for the active model'),
    image: Type.Optional(Type.String({ maxLength: 300, description: 'name of the image; absent: the first' })),
    x: Type.Optional(Type.Number({ minimum: 0, description: 'pixels of the original; send `y`, too' })),
    y: Type.Optional(Type.Number({ minimum: 0, description: 'pixels of the original; send `x`, too' })),
  },
  { additionalProperties: false },
);

const PatchPlace = Shape('PatchPlace', {
  x_min: Type.Number(),
  y_min: Type.Number(),
  x_max: Type.Number(),
  y_max: Type.Number(),
});

const NearestImage = Shape('NearestImage', {
  item_id: Type.String(),
  item_name: Type.String(),
  user_result: Nullable(Type.String({ description: 'OK or NG, by a person: it may have changed since the training' })),
  image: ItemImageMeta,
  place: PatchPlace,
  distance: Type.Number({ description: 'between the two patches, in the feature space of the model' }),
  transform: Type.Array(Type.Number(), {
    minItems: 6,
    maxItems: 6,
    description:
      'a, b, c, d, e, f: x = a·X + b·Y + c, y = d·X + e·Y + f, from pixels of this image to those of the item',
  }),
  registered: Type.Boolean({
    description: 'the step `align` brought both images to one position; otherwise the patches lie on each other',
  }),
});

export const NearestGood = Shape('NearestGood', {
  item_id: Type.String(),
  model_id: Type.String(),
  image: Type.String({ description: 'name of the image of the item' }),
  place: Nullable(PatchPlace),
  nearest: Nullable(NearestImage),
  unavailable: Int32({ description: 'training images that are as near or nearer, but were deleted or removed' }),
  status_text: Nullable(Type.String({ description: 'why there is no image' })),
  status_messages: Type.Array(StatusMessage, { description: 'the sentences of status_text' }),
});

export type NearestGoodView = Static<typeof NearestGood>;
export type NearestGoodRequest = Static<typeof NearestGoodQuery>;
