import type { Random } from '../types.ts';

/** Up to this many items each is left out alone; with more, items are left out in {@link FOLDS} groups. */
const LEAVE_ONE_OUT_LIMIT = 8;
const FOLDS = 5;

/**
 * Which fold holds out which image: all images of an item are held out together.
 * @returns for each fold the indices of the images it holds out; no fold for fewer than two items
 */
export function heldOutFolds(itemIds: readonly string[], random: Random): number[][] {
  const items = [...new Set(itemIds)];
  if (items.length < 2) return [];
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j] ?? '', items[i] ?? ''];
  }
  const count = items.length <= LEAVE_ONE_OUT_LIMIT ? items.length : FOLDS;
  const foldOf = new Map(items.map((item, index) => [item, index % count]));
  const folds = Array.from({ length: count }, (): number[] => []);
  itemIds.forEach((item, index) => {
    folds[foldOf.get(item) ?? 0]?.push(index);
  });
  return folds;
}
