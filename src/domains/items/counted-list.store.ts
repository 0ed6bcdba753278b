import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import type { ItemRow } from './item-rows.ts';
import { holding, readStretches, totalOf } from './list-stretches.store.ts';
import { type CountedList, selectListed } from './select-listed.store.ts';

export interface ItemPage {
  readonly items: ItemRow[];
  /** In all pages. */
  readonly total: number;
}

/** The page of items, newest first, after `skip` of them. Its cost does not grow with `skip`. */
export async function readCountedPage(db: Db, list: CountedList, skip: number, count: number): Promise<ItemPage> {
  const stretches = await readStretches(db, list, skip, count);
  const total = totalOf(stretches);
  const held = holding(stretches, skip, count);
  const [newest] = held;
  if (!newest) return { items: [], total };
  // Read before they are ordered: the database would else go through other items in their order, if it takes the list for longer than it is.
  const page = sql<ItemRow>`with listed as materialized (${selectListed(list, held)})
    select items.* from items
    where seq in (select seq from listed order by seq desc limit ${count} offset ${skip - newest.newer})
    order by seq desc`;
  return { items: (await page.execute(db)).rows, total };
}
