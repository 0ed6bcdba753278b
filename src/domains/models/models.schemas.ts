import Type, { type Static } from 'typebox';
import { DateTime, Id, Int32, Nullable, Shape, StatusMessage } from '../../http/common-schemas.ts';
import { Preprocessing } from '../targets/targets.schemas.ts';

export const ModelPrecision = Shape('ModelPrecision', {
  projected: Type.Optional(Nullable(Type.Number({ description: 'from held-out training scores' }))),
  computed: Type.Optional(Nullable(Type.Number({ description: 'from predicted items with a verdict of a person' }))),
});

export const ModelStats = Shape('ModelStats', {
  accuracy: Type.Optional(Nullable(Type.Number())),
  precision: Type.Optional(ModelPrecision),
  recall: Type.Optional(ModelPrecision),
});

export const Model = Shape('Model', {
  model_id: Type.String(),
  name: Type.String(),
  algorithm_id: Type.String(),
  algorithm_type: Type.String(),
  version: Type.String(),
  context_id: Int32({ description: 'the inspection target in force when it was trained' }),
  status: Type.Optional(Type.String({ description: 'queued, training, ready, failed or cancelled' })),
  status_text: Type.Optional(Nullable(Type.String())),
  status_messages: Type.Optional(
    Type.Array(StatusMessage, { description: 'ext: the sentences of status_text, each with its code and values' }),
  ),
  active: Type.Optional(Nullable(Type.Boolean())),
  image_url: Type.Optional(Nullable(Type.String())),
  ok_img_count: Type.Optional(Int32()),
  ng_img_count: Type.Optional(Int32()),
  training_time: Type.Optional(Nullable(Int32({ description: 'seconds' }))),
  precision: Type.Optional(Nullable(Type.Number())),
  recall: Type.Optional(Nullable(Type.Number())),
  stats: Type.Optional(ModelStats),
  created_at: DateTime(),
  updated_at: DateTime(),
  parent_id: Type.Optional(Nullable(Type.String({ description: 'ext: the model that it was refined from' }))),
  parameters: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'ext: what it was trained with: the value of each parameter of its algorithm, by name',
    }),
  ),
  preprocessing: Type.Optional(
    Type.Array(Preprocessing, { description: 'ext: the steps of its inspection target when it was trained' }),
  ),
  taught_item_ids: Type.Optional(Type.Array(Type.String(), { description: 'ext: the items that refining corrected' })),
  predict_parameters: Type.Optional(
    Shape('PredictParametersInForce', {
      threshold: Type.Number({ description: 'ext' }),
      ignore_outer: Type.String(),
      min_detected_area: Type.Number(),
    }),
  ),
});

export const ModelIdParams = Type.Object({ model_id: Id('model') });
export const ModelIds = Shape('ModelIdsQuery', { model_ids: Type.Array(Type.String()) });
export const ModelIdsQuery = Type.Object(
  { model_ids: Type.Optional(Type.Array(Id('model'), { maxItems: 10_000 })) },
  { additionalProperties: false },
);
export const ModelsQuery = Type.Object(
  { algorithm_id: Type.Optional(Id('algorithm')) },
  { additionalProperties: false },
);

export const PredictParameters = Shape('PredictParameters', {
  threshold: Type.Optional(
    Type.Number({ format: 'float', minimum: 0, maximum: 1, description: 'on the scale of anomaly_score' }),
  ),
  ignore_outer: Type.Optional(
    Type.String({ maxLength: 100, description: 'none, or one to four lengths such as 5% or 12px' }),
  ),
  min_detected_area: Type.Optional(
    Type.Number({ format: 'float', minimum: 0, maximum: 1e9, description: 'square pixels of the original image' }),
  ),
});

export type ModelView = Static<typeof Model>;
export type PredictParametersInput = Static<typeof PredictParameters>;
