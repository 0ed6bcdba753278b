import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database, Db } from '../../storage/database.ts';
import { type ItemPage, readCountedPage } from './counted-list.store.ts';
import { facetsOf } from './item-facet.ts';
import type { ItemsQuery } from './items.schemas.ts';
import { type FoundPage, searchByName } from './name-search.store.ts';
import { type CountedList, hasName } from './select-listed.store.ts';

export type ItemFilter = Omit<ItemsQuery, 'count' | 'page'>;
type Builder = ExpressionBuilder<Database, 'items'>;

export interface ItemListStore {
  /** Newest first; `page` counts from 1. */
  listItems(filter: ItemFilter, page: number, count: number): Promise<FoundPage>;
}

export function createItemListStore(db: Db): ItemListStore {
  return {
    async listItems(filter, page, count) {
      const skip = (page - 1) * count;
      // What a model learned from is a list of its own, as long as that model's training; what is under way is short.
      const learnedFrom = filter.item_type === 'training' && filter.model_id !== undefined;
      if (learnedFrom || filter.status !== undefined) return searchItems(db, filter, skip, count);
      const list: CountedList = {
        modelId: filter.model_id,
        facets: facetsOf(filter),
        from: toStoredTime(filter.from),
        until: toStoredTime(filter.until),
      };
      if (filter.name === undefined) return readCountedPage(db, list, skip, count);
      return searchByName(db, list, filter.name, skip, count);
    },
  };
}

const toStoredTime = (time: string | undefined): string | undefined => time && new Date(time).toISOString();

/** Goes through all items that the conditions leave. */
export async function searchItems(db: Db, filter: ItemFilter, skip: number, count: number): Promise<ItemPage> {
  const matching = db.selectFrom('items').where((builder) => builder.and(conditions(builder, filter)));
  const { total } = await matching
    .select((builder) => builder.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  // The index alone says which they are: what is skipped is not read.
  const page = matching.select('seq').orderBy('seq', 'desc').limit(count).offset(skip);
  const items = await db.selectFrom('items').selectAll().where('seq', 'in', page).orderBy('seq', 'desc').execute();
  return { items, total: Number(total) };
}

function conditions(builder: Builder, filter: ItemFilter): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [];
  const training = filter.item_type === 'training';
  const { model_id: modelId, user_result: userResult } = filter;
  all.push(builder('is_training', '=', training ? 1 : 0));
  if (modelId !== undefined && training) {
    const members = builder.selectFrom('model_items').select('item_id').where('model_id', '=', modelId);
    all.push(builder('item_id', 'in', members));
  }
  if (filter.result !== undefined || filter.disagrees !== undefined || (modelId !== undefined && !training)) {
    all.push(builder.exists(assessments(builder, filter)));
  }
  if (userResult !== undefined) {
    all.push(userResult === 'none' ? builder('user_result', 'is', null) : builder('user_result', '=', userResult));
  }
  // As text, so that the database sees that its index of such items will do.
  if (filter.status !== undefined) all.push(builder('status', '=', sql.lit(filter.status)));
  if (filter.name !== undefined) {
    all.push(hasName(filter.name));
  }
  const [from, until] = [toStoredTime(filter.from), toStoredTime(filter.until)];
  if (from !== undefined) all.push(builder('created_at', '>=', from));
  if (until !== undefined) all.push(builder('created_at', '<', until));
  return all;
}

function assessments(builder: Builder, filter: ItemFilter) {
  let query = builder
    .selectFrom('assessments')
    .select('assessments.seq')
    .whereRef('assessments.item_id', '=', 'items.item_id');
  if (filter.model_id !== undefined) query = query.where('assessments.model_id', '=', filter.model_id);
  if (filter.result !== undefined) query = query.where('assessments.result', '=', filter.result);
  if (filter.disagrees === true) query = query.whereRef('assessments.result', '!=', 'items.user_result');
  if (filter.disagrees === false) query = query.whereRef('assessments.result', '=', 'items.user_result');
  return query;
}
