import Type, { type Static } from 'typebox';
import { Id, IdList, Int32, Nullable, Shape } from '../../http/common-schemas.ts';

const coordinate = (description: string) => Type.Number({ minimum: -1e6, maximum: 1e6, description });

export const NewAnnotation = Shape('NewAnnotation', {
  x_min: coordinate('pixels of the original image'),
  x_max: coordinate('larger than x_min'),
  y_min: coordinate('pixels of the original image'),
  y_max: coordinate('larger than y_min'),
  label: Type.Optional(Nullable(Int32({ minimum: 0, description: 'class number, see /api/v1/labels' }))),
  notes: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  image: Type.Optional(Type.String({ maxLength: 200, description: 'ext: name of the image; absent: the first' })),
});

export const AnnotateBody = Shape('AnnotateBody', {
  annotations: Type.Optional(
    Type.Array(NewAnnotation, { maxItems: 1000, description: "replaces the user's regions; empty: good" }),
  ),
  good: Type.Optional(Type.Boolean({ description: 'ext: the verdict without regions' })),
});

export const AssessItemsBody = Shape('AssessItemsBody', {
  item_ids: IdList('items'),
  good: Type.Optional(
    Type.Boolean({ description: 'the verdict; good removes regions, NG keeps those that there are' }),
  ),
  is_training_data: Type.Optional(Type.Boolean({ description: 'whether they are items to learn from' })),
  active: Type.Optional(Type.Boolean({ description: 'false: trainings that name no items do not use it' })),
  show_previous: Type.Optional(Type.Boolean({ description: 'answer with the verdicts before, to put them back' })),
});

export const ItemVerdict = Shape('ItemVerdict', {
  item_id: Id('item'),
  good: Nullable(Type.Boolean({ description: 'null: nobody has judged it' })),
  annotations: Type.Array(NewAnnotation, { maxItems: 1000, description: "replaces the user's regions; of NG only" }),
});

export const SetVerdictsBody = Shape('SetVerdictsBody', {
  verdicts: Type.Array(ItemVerdict, { minItems: 1, maxItems: 1000 }),
});

export const AssessedItems = Shape('AssessedItems', {
  item_ids: Type.Array(Type.String()),
  previous: Type.Optional(Type.Array(ItemVerdict, { description: 'as `PUT /api/v1/items/verdicts` takes them' })),
});

export type AnnotateInput = Static<typeof AnnotateBody>;
export type NewAnnotationInput = Static<typeof NewAnnotation>;
export type AssessItemsInput = Static<typeof AssessItemsBody>;
export type ItemVerdictInput = Static<typeof ItemVerdict>;
