import type { Updateable } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { ItemsTable, Trx } from '../../storage/database.ts';

export type ItemChange = Pick<
  Updateable<ItemsTable>,
  'active' | 'is_training' | 'user_result' | 'user_label' | 'user_assessed_at'
>;

export interface AssessItemsStore {
  updateItems(trx: Trx, itemIds: readonly string[], change: ItemChange): Promise<void>;
  deleteAnnotations(trx: Trx, itemIds: readonly string[]): Promise<void>;
}

export function createAssessItemsStore(): AssessItemsStore {
  return {
    async updateItems(trx, itemIds, change) {
      for (const part of chunks(itemIds)) {
        await trx.updateTable('items').set(change).where('item_id', 'in', part).execute();
      }
    },
    async deleteAnnotations(trx, itemIds) {
      for (const part of chunks(itemIds)) {
        await trx.deleteFrom('annotations').where('item_id', 'in', part).execute();
      }
    },
  };
}
