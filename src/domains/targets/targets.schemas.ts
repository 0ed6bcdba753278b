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

export const TargetIdParams = Type.Object({ target_id: Id('inspection target') });

export type PreprocessingInput = Static<typeof Preprocessing>;
export type TargetView = Static<typeof InspectionTarget>;
