import type { Updateable } from 'kysely';
import type { Trx } from '../../storage/database.ts';
import type { ItemsTable } from '../../storage/tables/items.table.ts';

export type ItemChange = Pick<
  Updateable<ItemsTable>,
  'active' | 'is_training' | 'user_result' | 'user_label' | 'user_assessed_at'
>;

export interface AssessItemsStore {
  updateItems(trx: Trx, itemIds: readonly string[], change: ItemChange): Promise<void>;
  deleteAnnotations(trx: Trx, itemIds: readonly string[]): Promise<void>;
}

// Databases bound the number of variables of a statement.
const idsPerStatement = 500;

export function createAssessItemsStore(): AssessItemsStore {
  const inParts = async (ids: readonly string[], run: (part: string[]) => Promise<unknown>): Promise<void> => {
    for (let start = 0; start < ids.length; start += idsPerStatement) {
      await run(ids.slice(start, start + idsPerStatement));
    }
  };
  return {
    updateItems: (trx, itemIds, change) =>
      inParts(itemIds, (part) => trx.updateTable('items').set(change).where('item_id', 'in', part).execute()),
    deleteAnnotations: (trx, itemIds) =>
      inParts(itemIds, (part) => trx.deleteFrom('annotations').where('item_id', 'in', part).execute()),
  };
}
