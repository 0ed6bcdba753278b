import Type, { type Static } from 'typebox';
import { DateTime, Id, IdList, Int32, Nullable, Shape, StatusMessage } from '../../http/common-schemas.ts';

const coordinate = () => Type.Optional(Nullable(Type.Number()));

export const Annotation = Shape('Annotation', {
  annotation_id: Type.Optional(Int32()),
  x_min: coordinate(),
  x_max: coordinate(),
  y_min: coordinate(),
  y_max: coordinate(),
  label: Type.Optional(Nullable(Int32())),
  defect_size: Type.Optional(Nullable(Type.Number({ description: 'anomalous area, square pixels of the original' }))),
  outline: Type.Optional(
    Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      description:
        'ext: of a region that a model found, corners [x, y] of the defect in pixels of the original, as a network sees it on the image',
    }),
  ),
  notes: Type.Optional(Nullable(Type.String())),
  image: Type.Optional(Type.String({ description: 'ext: name of the image; absent: the first' })),
  created_at: DateTime(),
});

export const ItemImageMeta = Shape('ItemImageMeta', {
  url: Type.Optional(Type.String({ description: 'signed, readable without a header for an hour' })),
  name: Type.Optional(Type.String()),
  width: Type.Optional(Int32()),
  height: Type.Optional(Int32()),
  file_size: Type.Optional(
    Int32({ description: 'bytes; absent of a heatmap, which is drawn when its link is opened' }),
  ),
  thumbnail_url: Type.Optional(Type.String({ description: 'ext: at most 320 pixels, WebP' })),
  map_url: Type.Optional(
    Type.String({
      description:
        'ext: of a heatmap: its scores alone over the whole image, a grey PNG that is coarser than the image; a value is 255 × the score, where 0.5 is the calibrated threshold; 0 is not inspected',
    }),
  ),
});

const images = Type.Optional(Type.Array(ItemImageMeta));
const annotations = Type.Optional(Type.Array(Annotation));

export const UserAssessment = Shape('UserAssessment', {
  result: Type.Optional(Type.String({ description: 'OK or NG' })),
  label: Type.Optional(Type.String()),
  annotations,
  images,
});

export const ModelAssessment = Shape('ModelAssessment', {
  model_id: Type.Optional(Type.String()),
  result: Type.Optional(Type.String({ description: 'OK or NG' })),
  label: Type.Optional(Type.String()),
  anomaly_score: Type.Optional(Type.String({ description: '0 to 1, six decimals, 0.5 is the calibrated threshold' })),
  detected_objects: Type.Optional(Nullable(Int32())),
  detection_accuracy: Type.Optional(Nullable(Int32({ description: '0 to 100, how sure the verdict is' }))),
  annotations,
  images,
  threshold: Type.Optional(Type.Number({ description: 'ext: the threshold that the verdict was made with' })),
  predicted_at: Type.Optional(Type.String({ format: 'date-time', description: 'ext' })),
});

/** Text by name. A quote in a name would make a filter by it ambiguous, see `item-conditions.store.ts`. */
export const ItemFields = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { pattern: '^[^="\\\\]{1,50}$' },
  additionalProperties: { type: 'string', maxLength: 200 },
  maxProperties: 16,
  description: 'ext: what else is known of the product, text by name',
});

/** What an item is of, as far as it is known. */
const origin = {
  serial: Type.Optional(Type.String({ description: 'ext: serial number of the product' })),
  lot: Type.Optional(Type.String({ description: 'ext: lot that the product is of' })),
  station_id: Type.Optional(Type.String({ description: 'ext: the station that it was inspected at' })),
  fields: Type.Optional(ItemFields),
  target_id: Type.Optional(Int32({ description: 'ext: the product that it is one of, an inspection target' })),
};

export type ItemOrigin = Static<typeof ItemOrigin>;
export const ItemOrigin = Type.Object(origin);

export const Item = Shape('Item', {
  item_id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  status: Type.Optional(Type.String({ description: 'pending, queued, processing, done or failed' })),
  active: Type.Optional(Type.Boolean()),
  is_training_data: Type.Optional(Type.Boolean()),
  images,
  user_assessment: Type.Optional(UserAssessment),
  assessments: Type.Optional(Type.Array(ModelAssessment)),
  status_text: Type.Optional(
    Nullable(
      Type.String({ description: 'ext: why the last prediction failed, or what its preprocessing could not do' }),
    ),
  ),
  status_messages: Type.Optional(
    Type.Array(StatusMessage, { description: 'ext: the sentences of status_text, each with its code and values' }),
  ),
  created_at: Type.Optional(Type.String({ format: 'date-time', description: 'ext' })),
  images_removed_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ext: when retention removed its images; they have no `url` since then',
    }),
  ),
  ...origin,
});

export const GetItemsResponse = Shape('GetItemsResponse', {
  current_page: Int32(),
  end_page: Int32(),
  count_per_page: Int32(),
  items: Type.Array(Item),
  total: Type.Optional(Int32({ description: 'ext: items in all pages' })),
  next: Type.Optional(
    Type.String({ description: 'ext: send this as `after` for the items that follow; absent where nothing follows' }),
  ),
  searched_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'ext: a search for a common name ended here, and total and end_page are those of what it found; it goes on with `after` = `next`, or with `until` at this time',
    }),
  ),
});

export const ItemIds = Shape('ItemIds', { item_ids: Type.Array(Type.String()) });
export const ItemIdsBody = Shape('ItemIdsBody', { item_ids: IdList('items') });
export const ItemIdParams = Type.Object({ item_id: Id('item') });

export const GetItemsQuery = Type.Object(
  {
    item_type: Type.Enum(['prediction', 'training'], { type: 'string' }),
    count: Int32({ minimum: 1, maximum: 200, default: 20 }),
    page: Int32({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,10}(:[01]\\.[0-9]{6})?$',
        description:
          'ext: `next` of the page before, in place of `page`: no item is skipped or comes twice, even if items are deleted or added meanwhile',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(['score', 'nearness'], {
        description:
          'ext: by the scores of the model in `model_id`, in place of newest first: the highest first, or those nearest to its threshold first',
      }),
    ),
    model_id: Type.Optional(Id('prediction: items that it assessed; training: items that it learned from')),
    result: Type.Optional(Type.Enum(['OK', 'NG'], { description: 'ext: verdict of the model, or of any model' })),
    user_result: Type.Optional(Type.Enum(['OK', 'NG', 'none'], { description: 'ext: verdict of a person' })),
    status: Type.Optional(
      Type.Enum(['queued', 'processing', 'failed'], { description: 'ext: where the last prediction stands' }),
    ),
    disagrees: Type.Optional(Type.Boolean({ description: 'ext: person and model differ' })),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'ext: part of the name, in any case' }),
    ),
    serial: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'ext: the whole serial number' })),
    lot: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'ext: the whole lot' })),
    station_id: Type.Optional(Id('ext: items of this station')),
    target_id: Type.Optional(Int32({ minimum: 1, description: 'ext: items of this product, an inspection target' })),
    field: Type.Optional(
      Type.String({
        pattern: '^[^="\\\\]{1,50}=',
        maxLength: 300,
        description: 'ext: name=value, items with this value in their fields',
      }),
    ),
    images_removed: Type.Optional(
      Type.Boolean({ description: 'ext: items whose images retention has removed, or whose images are there' }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'ext: from the first item that is not older on' }),
    ),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'ext: up to the last item that is older' })),
  },
  { additionalProperties: false },
);

export const GetItemQuery = Type.Object(
  {
    show_assessments: Type.Boolean({ default: true }),
    show_annotations: Type.Boolean({ default: true }),
    model_id: Type.Optional(Id('only assessments of this model')),
  },
  { additionalProperties: false },
);

export type ItemView = Static<typeof Item>;
export type AnnotationView = Static<typeof Annotation>;
export type ImageView = Static<typeof ItemImageMeta>;
export type ItemsQuery = Static<typeof GetItemsQuery>;
