import type { Item, ItemVerdict } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';

const itemsPerRequest = 1000;

/** Gives each item its own verdict, as `PUT /api/v1/items/verdicts` takes it. */
export async function setVerdicts(verdicts: readonly ItemVerdict[]): Promise<void> {
  for (let start = 0; start < verdicts.length; start += itemsPerRequest) {
    const body = { verdicts: verdicts.slice(start, start + itemsPerRequest) };
    await api.PUT('/api/v1/items/verdicts', { body });
  }
}

/** The verdict of a person that the item has, to put it back later. */
export function verdictOf({ item_id, user_assessment: user }: Item): ItemVerdict {
  const annotations = (user?.annotations ?? []).map(({ x_min, x_max, y_min, y_max, label, notes, image }) => ({
    x_min,
    x_max,
    y_min,
    y_max,
    label: label ?? null,
    notes: notes ?? null,
    ...(image === undefined ? {} : { image }),
  }));
  return { item_id, good: user ? user.result === 'OK' : null, annotations };
}
