import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../src/client/shapes.ts';
import { useDeleted } from '../../api/pending-deletes.ts';
import { modelsQuery } from '../../api/queries.ts';
import { algorithmName } from '../../i18n/server-texts.ts';
import { useProduct } from '../../product.ts';
import { modelLabel } from './model-label.ts';

/**
 * The models of the service, empty until they are loaded, and labels that tell them apart.
 * @param targetId the product whose models are meant; undefined: the chosen one
 */
export function useModels(targetId?: number) {
  const deleted = useDeleted('model');
  const models = (useQuery(modelsQuery()).data ?? []).filter((model) => !deleted.has(model.model_id));
  const { productId, defaultId } = useProduct();
  const product = targetId ?? productId;
  const isOfProduct = (model: Model) => product === undefined || model.context_id === product;
  const active = models.filter((model) => model.active && isOfProduct(model));
  return {
    models,
    /** Those of the product. */
    ready: models.filter((model) => model.status === 'ready' && isOfProduct(model)),
    /** As the service chooses it where no product is named. */
    active: active.find((model) => model.context_id === defaultId) ?? (active.length === 1 ? active[0] : undefined),
    labelOf: (model: Model) => modelLabel(model, models, algorithmName),
  };
}
