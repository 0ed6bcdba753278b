import type { Model } from '../../../../src/client/shapes.ts';

type Named = Pick<Model, 'model_id' | 'name' | 'algorithm_id' | 'version'>;

/** The name, and the version where another has the same: a model that was taught keeps the name of the one before. */
export function modelLabel(model: Named, models: readonly Named[]): string {
  const shared = models.some((one) => one.name === model.name && one.model_id !== model.model_id);
  return shared ? `${model.name} (${model.algorithm_id} v${model.version})` : model.name;
}
