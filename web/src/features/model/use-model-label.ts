import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { modelsQuery } from '../../api/queries.ts';
import { modelLabel } from './model-label.ts';

/** Labels that tell the models apart. */
export function useModelLabel(): (model: Model) => string {
  const models = useQuery(modelsQuery()).data ?? [];
  return (model) => modelLabel(model, models);
}
