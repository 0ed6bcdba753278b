import Type from 'typebox';
import { Shape } from '../../http/common-schemas.ts';

export const PredictResponse = Shape('PredictResponse', {
  model_version: Type.String(),
  item_ids: Type.Array(Type.String()),
});
