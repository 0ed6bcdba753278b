import type { Model } from '../../../../src/client/shapes.ts';

type Named = Pick<Model, 'model_id' | 'name' | 'algorithm_id' | 'version'>;

/**
 * The name; with algorithm and version if another model has the same name, as a refined model has, and the name does not
 * say them.
 */
export function modelLabel(model: Named, models: readonly Named[], algorithmName: (id: string) => string): string {
  const { model_id, name, algorithm_id, version } = model;
  const shared = models.some((one) => one.name === name && one.model_id !== model_id);
  const saysIt = name === `${algorithm_id} v${version}`;
  return shared && !saysIt ? `${name} (${algorithmName(algorithm_id)} v${version})` : name;
}
