import Type, { type Static } from 'typebox';
import { Id, Int32, Nullable, Shape } from '../../http/common-schemas.ts';

export const Preprocessing = Shape('Preprocessing', {
  active: Type.Optional(Nullable(Type.Boolean())),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  config: Type.Optional(Nullable(Type.String({ maxLength: 1_000_000, description: 'a JSON object' }))),
});

export const InspectionTarget = Shape('InspectionTarget', {
  target_id: Type.Optional(Int32()),
  name: Type.Optional(Type.String()),
  preprocessing: Type.Optional(Type.Array(Preprocessing)),
  is_default: Type.Optional(Type.Boolean({ description: 'ext' })),
});

const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const preprocessing = Type.Optional(Type.Array(Preprocessing, { maxItems: 50 }));

export const NewTarget = Shape('NewTarget', { name, preprocessing });
export const TargetChanges = Shape('TargetChanges', { name: Type.Optional(name), preprocessing });
export const DeletedTarget = Shape('DeletedTarget', { target_id: Int32() });

export const PreprocessingStepInfo = Shape('PreprocessingStepInfo', {
  name: Type.String(),
  title: Type.String(),
  help: Type.String({ description: 'what it is for and when to use it' }),
  schema: Type.Unknown({ description: 'JSON Schema of the object that config holds' }),
  example: Type.String({ description: 'a config' }),
});

export const PreviewRequest = Shape('PreviewRequest', {
  item_id: Id('the item whose image goes through the steps'),
  image: Type.Optional(Type.String({ maxLength: 200, description: 'name of the image; absent: the first' })),
  preprocessing: Type.Optional(
    Type.Array(Preprocessing, { maxItems: 50, description: 'steps to try; absent: those of the target' }),
  ),
});

export const TargetIdParams = Type.Object({ target_id: Id('inspection target') });

export type PreprocessingInput = Static<typeof Preprocessing>;
export type TargetView = Static<typeof InspectionTarget>;
export type TargetChangesInput = Static<typeof TargetChanges>;
export type NewTargetInput = Static<typeof NewTarget>;
export type PreviewRequestInput = Static<typeof PreviewRequest>;
