import type { Model } from '../../../../src/client/shapes.ts';

type Named = Pick<Model, 'model_id' | 'name' | 'algorithm_id' | 'version'>;

/** The name; with the version if another model has the same name, as a refined model has, and the name does not say it. */
export function modelLabel(model: Named, models: readonly Named[]): string {
  const shared = models.some((one) => one.name === model.name && one.model_id !== model.model_id);
  const version = `${model.algorithm_id} v${model.version}`;
  return shared && model.name !== version ? `${model.name} (${version})` : model.name;
}
