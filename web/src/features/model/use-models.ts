import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { modelsQuery } from '../../api/queries.ts';
import { modelLabel } from './model-label.ts';

/** The models of the service, empty until they are loaded, and labels that tell them apart. */
export function useModels() {
  const models = useQuery(modelsQuery()).data ?? [];
  return {
    models,
    ready: models.filter((model) => model.status === 'ready'),
    active: models.find((model) => model.active),
    labelOf: (model: Model) => modelLabel(model, models),
  };
}
