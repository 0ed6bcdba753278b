import Type, { type Static } from 'typebox';
import { Id, Int32, Nullable, Shape } from '../../http/common-schemas.ts';

const chosenItems = Type.Optional(
  Type.Array(Id('item'), { maxItems: 1_000_000, description: 'absent: all active training items of the target' }),
);

const chosenTarget = Type.Optional(
  Int32({ minimum: 1, description: 'ext: the product, an inspection target; absent: the default target' }),
);

const newName = Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }));

export const TrainRequest = Shape('TrainRequest', {
  name: newName,
  item_ids: chosenItems,
  target_id: chosenTarget,
  mix_targets: Type.Optional(
    Type.Boolean({ description: 'ext: learn from items of several products; absent: such items are refused' }),
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

export const RefineRequest = Shape('RefineRequest', {
  item_ids: Type.Optional(
    Type.Array(Id('item'), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description:
        'items with a verdict of a person; absent: all that the model has inspected and whose verdict differs from its own',
    }),
  ),
  name: newName,
  activate: Type.Optional(
    Type.Boolean({ description: 'take the place of the model when that is active; absent: a person activates it' }),
  ),
});

export type RefineRequestInput = Static<typeof RefineRequest>;

export type ReadinessRequestInput = Static<typeof ReadinessRequest>;
export const ReadinessRequest = Shape('ReadinessRequest', { item_ids: chosenItems, target_id: chosenTarget });

const Oddity = Shape('TrainingOddity', {
  kind: Type.String({
    description:
      'size: unlike most images; duplicate: the same image as another item; contradiction: the same image is good there and NG here; too_small, too_narrow, no_contrast: nothing can be learned from the image',
  }),
  item_id: Type.String(),
  name: Type.String(),
  other: Type.String({ description: 'the usual size, the name of the other item, or the size of an image of no use' }),
});

const LabelledRegions = Shape('LabelledRegions', {
  label: Nullable(Int32({ description: 'class number; null: regions without one' })),
  regions: Int32(),
  items: Int32({ description: 'NG items that have such a region' }),
});

export const Readiness = Shape('Readiness', {
  good: Int32({ description: 'items' }),
  ng: Int32(),
  unjudged: Int32({ description: 'items that training leaves out' }),
  images: Int32({ description: 'images of good and NG items' }),
  supported_false_alarm_rate: Nullable(
    Type.Number({ description: 'the least rate that so many good items can vouch for, without copies' }),
  ),
  regions: Type.Array(LabelledRegions, { description: 'rectangles that people drew on the NG items, by label' }),
  oddities: Type.Array(Oddity, { description: 'the first 50' }),
  oddity_count: Int32({ description: 'how many there are in all' }),
});

export type ReadinessView = Static<typeof Readiness>;
export type TrainingOddity = Static<typeof Oddity>;
