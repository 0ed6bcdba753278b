import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database, Db } from '../../storage/database.ts';
import { readCountedPage } from './counted-list.store.ts';
import { facetsOf } from './item-facet.ts';
import type { ItemRow } from './item-rows.ts';
import type { ItemsQuery } from './items.schemas.ts';

export type ItemFilter = Omit<ItemsQuery, 'count' | 'page'>;
type Builder = ExpressionBuilder<Database, 'items'>;

export interface ItemListStore {
  /** Newest first; `page` counts from 1. */
  listItems(filter: ItemFilter, page: number, count: number): Promise<{ items: ItemRow[]; total: number }>;
}

export function createItemListStore(db: Db): ItemListStore {
  return {
    async listItems(filter, page, count) {
      const skip = (page - 1) * count;
      if (!isCounted(filter)) return searchItems(db, filter, skip, count);
      return readCountedPage(db, { modelId: filter.model_id, facets: facetsOf(filter) }, skip, count);
    },
  };
}

/** Other lists are as long as what is searched for, so they are searched for. */
function isCounted({ item_type, model_id, name, from, until }: ItemFilter): boolean {
  const learnedFrom = item_type === 'training' && model_id !== undefined;
  return !learnedFrom && name === undefined && from === undefined && until === undefined;
}

/** Goes through all items that the conditions leave; with a stretch of time, through those in it. */
export async function searchItems(
  db: Db,
  filter: ItemFilter,
  skip: number,
  count: number,
): Promise<{ items: ItemRow[]; total: number }> {
  const matching = db.selectFrom('items').where((builder) => builder.and(conditions(builder, filter)));
  const { total } = await matching
    .select((builder) => builder.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  // A stretch of time lies in the index in this order, which is that of seq unless the clock was set back.
  const inTime = filter.from !== undefined || filter.until !== undefined;
  const ordered = inTime ? matching.orderBy('created_at', 'desc') : matching;
  // The index alone says which they are: what is skipped is not read.
  const page = ordered.select('seq').orderBy('seq', 'desc').limit(count).offset(skip);
  const found = db.selectFrom('items').selectAll().where('seq', 'in', page);
  const items = await (inTime ? found.orderBy('created_at', 'desc') : found).orderBy('seq', 'desc').execute();
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
  if (filter.name !== undefined) {
    const pattern = `%${filter.name.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    all.push(sql<SqlBool>`lower(items.name) like ${pattern} escape '\\'`);
  }
  if (filter.from !== undefined) all.push(builder('created_at', '>=', new Date(filter.from).toISOString()));
  if (filter.until !== undefined) all.push(builder('created_at', '<', new Date(filter.until).toISOString()));
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
