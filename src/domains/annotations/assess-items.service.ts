import { fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { AssessItemsInput } from './assess-items.schemas.ts';
import type { AssessItemsStore, ItemChange } from './assess-items.store.ts';

export interface AssessItemsService {
  /** One verdict, or one use, for many items: all or nothing. @returns the ids, each once. */
  assessItems(input: AssessItemsInput): Promise<string[]>;
}

export function createAssessItemsService(parts: {
  db: Db;
  store: AssessItemsStore;
  items: ItemsService;
}): AssessItemsService {
  const { db, store, items } = parts;
  return {
    async assessItems({ item_ids: itemIds, good, is_training_data: isTraining, active }) {
      if (good === undefined && isTraining === undefined && active === undefined) {
        throw fieldError('invalid-request', 'good', say('item.good-or-use'));
      }
      const distinct = [...new Set(itemIds)];
      const change: ItemChange = {
        ...(isTraining === undefined ? {} : { is_training: isTraining ? 1 : 0 }),
        ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      };
      await db.transaction().execute(async (trx) => {
        const found = await items.requireItems(distinct, trx);
        if (Object.keys(change).length > 0) await store.updateItems(trx, distinct, change);
        if (good === undefined) return;
        const user_assessed_at = new Date().toISOString();
        if (good) {
          await store.updateItems(trx, distinct, { user_result: 'OK', user_label: 'good', user_assessed_at });
          await store.deleteAnnotations(trx, distinct);
          return;
        }
        // Items that are NG already keep the name of their defect.
        const news = found.filter((item) => item.user_result !== 'NG').map((item) => item.item_id);
        await store.updateItems(trx, news, { user_result: 'NG', user_label: 'defect', user_assessed_at });
      });
      return distinct;
    },
  };
}
