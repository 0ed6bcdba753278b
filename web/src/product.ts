import { useQuery } from '@tanstack/react-query';
import type { Target } from '../../src/client/shapes.ts';
import { useDeleted } from './api/pending-deletes.ts';
import { targetsQuery } from './api/queries.ts';
import { createStore, useStore } from './store.ts';

const storageKey = 'kensa-product';
const chosen = createStore(Number(localStorage.getItem(storageKey)) || undefined);

/** Items, training, models and start show this product from now on. @param targetId undefined: all products */
export function chooseProduct(targetId: number | undefined): void {
  if (targetId === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, String(targetId));
  chosen.set(targetId);
}

/** Without those that are about to be deleted. */
export function useTargets() {
  const targets = useQuery(targetsQuery());
  const deleted = useDeleted('target');
  const data: readonly Target[] | undefined = targets.data?.filter(({ target_id }) => !deleted.has(String(target_id)));
  return { ...targets, data };
}

/** The products, which are the inspection targets, and the chosen one. With one product there is nothing to choose. */
export function useProduct() {
  const targets = useTargets().data ?? [];
  const chosenId = useStore(chosen);
  const isChoice = targets.length > 1;
  return {
    targets,
    isChoice,
    /** Undefined: all. */
    productId: isChoice ? targets.find((target) => target.target_id === chosenId)?.target_id : undefined,
    defaultId: targets.find((target) => target.is_default)?.target_id,
  };
}
