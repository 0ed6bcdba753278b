import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldName } from '../../storage/fold-name.ts';
import type { ItemsQuery } from './items.schemas.ts';

export type ItemFilter = Omit<ItemsQuery, 'count' | 'page' | 'after' | 'sort'>;

/** Order numbers of items: `from` on, up to and with `to`. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether the list has a filter beyond the kinds that are counted. The database finds such a list by its conditions, at a
 * cost that grows with the number of items that meet the most selective one. A new filter belongs here and below.
 */
export const isConditional = (filter: ItemFilter): boolean =>
  filter.status !== undefined || filter.images_removed !== undefined || hasOrigin(filter) || isOfModelTraining(filter);

const hasOrigin = ({ serial, lot, station_id: station, field }: ItemFilter): boolean =>
  [serial, lot, station, field].some((value) => value !== undefined);

/** The items that a model learned from. */
const isOfModelTraining = (filter: ItemFilter): boolean =>
  filter.model_id !== undefined && filter.item_type === 'training';

/** The statuses in the index `items_in_progress`, in its order. */
const inProgress = ['queued', 'processing', 'failed'] as const;

/** All filters but those of time, as a condition on `items`. */
export function conditionOf(filter: ItemFilter): RawBuilder<SqlBool> {
  const { model_id: modelId, result, disagrees, user_result: person, status, name } = filter;
  // The plus keeps the database from its index of types, which would give it half of all items.
  const all: RawBuilder<SqlBool>[] = [sql`+${isOfType(filter)}`];
  if (isOfModelTraining(filter)) {
    all.push(sql`item_id in (select item_id from model_items where model_id = ${modelId})`);
  }
  const verdict: RawBuilder<SqlBool>[] = [];
  if (result !== undefined) verdict.push(sql`result = ${result}`);
  if (disagrees !== undefined) verdict.push(disagrees ? sql`result <> user_result` : sql`result = user_result`);
  if (verdict.length > 0 || (modelId !== undefined && !isOfModelTraining(filter))) {
    if (modelId !== undefined) verdict.push(sql`model_id = ${modelId}`);
    const ofItem = sql`assessments.item_id = items.item_id and ${sql.join(verdict, sql` and `)}`;
    all.push(sql`exists (select 1 from assessments where ${ofItem})`);
  }
  if (person !== undefined) all.push(person === 'none' ? sql`user_result is null` : sql`user_result = ${person}`);
  // As text, so that the database sees that its index of such items will do. SQLite wants the index's own words, too.
  if (status !== undefined) all.push(sql`status = ${sql.lit(status)}`);
  if (inProgress.some((one) => one === status))
    all.push(sql`status in (${sql.join(inProgress.map((one) => sql.lit(one)))})`);
  if (filter.images_removed !== undefined)
    all.push(filter.images_removed ? sql`images_removed_at is not null` : sql`images_removed_at is null`);
  for (const column of ['serial', 'lot', 'station_id'] as const) {
    if (filter[column] !== undefined) all.push(sql`${sql.ref(column)} = ${filter[column]}`);
  }
  if (filter.target_id !== undefined) all.push(sql`target_id = ${filter.target_id}`);
  if (filter.field !== undefined) all.push(hasField(filter.field));
  if (name !== undefined) all.push(hasName(name));
  return sql`${sql.join(all, sql` and `)}`;
}

export const isOfType = ({ item_type }: ItemFilter): RawBuilder<SqlBool> =>
  sql`is_training = ${sql.lit(item_type === 'training' ? 1 : 0)}`;

/** @param field `name=value`. A name without quotes occurs in the JSON only as a name. */
function hasField(field: string): RawBuilder<SqlBool> {
  const equals = field.indexOf('=');
  const entry = JSON.stringify({ [field.slice(0, equals)]: field.slice(equals + 1) }).slice(1, -1);
  // The two databases have no other function in common that looks for a text and minds its case.
  return sql`replace(fields, ${entry}, '') <> fields`;
}

/** @param name a part of the name, in any case. */
export const hasName = (name: string): RawBuilder<SqlBool> =>
  sql`items.folded_name like ${`%${foldName(name).replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

export const inRange = (column: 'seq' | 'item_seq' | 'rowid', { from, to }: SeqRange): RawBuilder<SqlBool> =>
  sql`${sql.ref(column)} between ${sql.lit(from)} and ${sql.lit(to)}`;
