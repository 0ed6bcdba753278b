import type { ItemFilter } from '../../src/domains/items/item-conditions.store.ts';
import type { Db, ItemRow } from '../../src/storage/database.ts';

/** What a list must hold, found the slow way: every row is read and compared here, without SQL. Newest first. */
export async function findListed(db: Db, filter: ItemFilter): Promise<ItemRow[]> {
  const [items, assessments, members] = await Promise.all([
    db.selectFrom('items').selectAll().orderBy('seq', 'desc').execute(),
    db.selectFrom('assessments').selectAll().execute(),
    db.selectFrom('model_items').selectAll().execute(),
  ]);
  const training = filter.item_type === 'training';
  const times = items.map((item) => item.created_at).sort();
  const [from, until] = [filter.from, filter.until].map((time) => time && new Date(time).toISOString());
  const oldest = times.find((at) => from !== undefined && at >= from);
  const newest = times.findLast((at) => until !== undefined && at < until);
  const first = Math.min(...items.flatMap((item) => (item.created_at === oldest ? item.seq : [])));
  const last = Math.max(...items.flatMap((item) => (item.created_at === newest ? item.seq : [])));
  return items.filter((item) => {
    if ((item.is_training === 1) !== training) return false;
    if (filter.from !== undefined && item.seq < first) return false;
    if (filter.until !== undefined && item.seq > last) return false;
    if (filter.status !== undefined && item.status !== filter.status) return false;
    if (filter.user_result !== undefined && (item.user_result ?? 'none') !== filter.user_result) return false;
    if (filter.name !== undefined && !fold(item.name).includes(fold(filter.name))) return false;
    if (filter.target_id !== undefined && item.target_id !== filter.target_id) return false;
    if (filter.serial !== undefined && item.serial !== filter.serial) return false;
    if (filter.lot !== undefined && item.lot !== filter.lot) return false;
    if (filter.station_id !== undefined && item.station_id !== filter.station_id) return false;
    if (filter.field !== undefined) {
      const [, name = '', value] = /^([^=]*)=(.*)$/.exec(filter.field) ?? [];
      if (JSON.parse(item.fields ?? '{}')[name] !== value) return false;
    }
    const { model_id: model } = filter;
    if (
      model !== undefined &&
      training &&
      !members.some((row) => row.model_id === model && row.item_id === item.item_id)
    )
      return false;
    const ofVerdict = filter.result !== undefined || filter.disagrees !== undefined;
    if (!ofVerdict && (model === undefined || training)) return true;
    return assessments.some(
      (row) =>
        row.item_id === item.item_id &&
        (model === undefined || row.model_id === model) &&
        (filter.result === undefined || row.result === filter.result) &&
        (filter.disagrees === undefined ||
          (item.user_result !== null && (row.result !== item.user_result) === filter.disagrees)),
    );
  });
}

const fold = (name: string): string => name.normalize('NFKC').toUpperCase();
