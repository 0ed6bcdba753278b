import { PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { Db, ItemImageRow, RetentionRuleRow, Trx } from '../../storage/database.ts';
import { inspectedKinds, type RetainedVerdict, verdictOfKind } from '../../storage/kept-counts.ts';
import type { ItemFilter } from '../items/item-conditions.store.ts';
import type { HoldFilterInput } from './retention.schemas.ts';

/** Items under one rule that came from `from` on and before `before`. */
export interface DuePick {
  readonly rule: RetentionRuleRow;
  /** Absent: of any verdict. */
  readonly verdict?: RetainedVerdict;
  readonly from?: string | undefined;
  readonly before: string;
}

/** What goes for one reason, oldest first. */
export interface Step {
  readonly reason: 'images' | 'records' | 'space';
  readonly picks: readonly DuePick[];
}

export interface DueItem {
  readonly itemId: string;
  readonly seq: number;
  readonly createdAt: string;
  readonly verdict: RetainedVerdict;
  /** Images that are still there, and the size of their files. */
  readonly images: number;
  readonly bytes: number;
  readonly pick: DuePick;
}

interface DueRow {
  readonly seq: number;
  readonly item_id: string;
  readonly created_at: string;
  readonly list_kind: number;
  readonly images: number | string | null;
  readonly bytes: number | string | null;
}

export type DueItemStore = ReturnType<typeof createDueItemStore>;

/** @param conditionOf the condition on `items` of a list's filter */
export function createDueItemStore(db: Db, conditionOf: (filter: ItemFilter) => RawBuilder<SqlBool>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;

  const matches = ({ from, until, ...filter }: HoldFilterInput): RawBuilder<SqlBool> => {
    const all = [conditionOf({ item_type: 'prediction', ...filter })];
    if (from !== undefined) all.push(sql`created_at >= ${new Date(from).toISOString()}`);
    if (until !== undefined) all.push(sql`created_at < ${new Date(until).toISOString()}`);
    // A column without a value is not what the filter asks for.
    return sql`((${sql.join(all, sql` and `)}) is true)`;
  };

  const listHoldFilters = async (trx: Db | Trx): Promise<RawBuilder<SqlBool>[]> => {
    const holds = await trx.selectFrom('holds').select('filter').where('filter', 'is not', null).execute();
    return holds.map(({ filter }) => matches(JSON.parse(filter ?? '{}') as HoldFilterInput));
  };

  const isHeld = async (trx: Db | Trx): Promise<RawBuilder<SqlBool>> => {
    const listed = sql<SqlBool>`exists (select 1 from held_items where held_items.item_id = items.item_id)`;
    return sql`(${sql.join([listed, ...(await listHoldFilters(trx))], sql` or `)})`;
  };

  /** Whether nothing protects the item: it waits for nothing, nothing learned from it, and nobody holds it. */
  const isFree = async (trx: Db | Trx): Promise<RawBuilder<SqlBool>> => sql`is_training = 0
    and status not in ('queued', 'processing')
    and not exists (select 1 from model_items where model_items.item_id = items.item_id)
    and not exists (select 1 from deliveries
      where deliveries.item_id = items.item_id and deliveries.status = 'pending')
    and not ${await isHeld(trx)}`;

  const isUnder = ({ retention_id: id, everywhere }: RetentionRuleRow): RawBuilder<SqlBool> => {
    const named = sql<SqlBool>`station_id in (select station_id from stations where retention_id = ${id})`;
    if (everywhere === 0) return named;
    return sql`(station_id is null or ${named}
      or station_id not in (select station_id from stations where retention_id is not null))`;
  };

  const selectPick = async (
    trx: Db | Trx,
    { rule, verdict, from, before }: DuePick,
    reason: Step['reason'],
    narrowed: RawBuilder<SqlBool>,
    limit: number,
  ): Promise<DueRow[]> => {
    const all = [sql<SqlBool>`created_at < ${before}`, narrowed, isUnder(rule), await isFree(trx)];
    if (from !== undefined) all.push(sql`created_at >= ${from}`);
    if (reason !== 'records') all.push(sql`images_removed_at is null`);
    const condition = sql`${sql.join(all, sql` and `)}`;
    const part = (kind: RawBuilder<SqlBool>): RawBuilder<unknown> => sql`
      select * from (select seq, item_id, created_at, list_kind, images_removed_at from items
        where ${kind} and ${condition} order by created_at, seq limit ${limit}) as part`;
    // The database reads each kind in the order of its index.
    const parts =
      verdict === undefined
        ? part(sql`1 = 1`)
        : sql.join(
            inspectedKinds(verdict).map((kind) => part(sql`list_kind = ${sql.lit(kind)}`)),
            sql` union all `,
          );
    const { rows } = await sql<DueRow>`
      select due.seq, due.item_id, due.created_at, due.list_kind,
        case when due.images_removed_at is null then
          (select count(*) from item_images where item_images.item_id = due.item_id) end as images,
        case when due.images_removed_at is null then
          (select sum(file_size) from item_images where item_images.item_id = due.item_id) end as bytes
      from (${parts}) as due order by due.created_at, due.seq limit ${limit}`.execute(trx);
    return rows;
  };

  const select = async (
    trx: Db | Trx,
    step: Step,
    narrowed: RawBuilder<SqlBool>,
    limit: number,
  ): Promise<DueItem[]> => {
    const due: DueItem[] = [];
    for (const pick of step.picks) {
      for (const row of await selectPick(trx, pick, step.reason, narrowed, limit)) {
        due.push({
          itemId: row.item_id,
          seq: row.seq,
          createdAt: row.created_at,
          verdict: verdictOfKind(row.list_kind),
          images: Number(row.images ?? 0),
          bytes: Number(row.bytes ?? 0),
          pick,
        });
      }
    }
    return due.sort(byAge).slice(0, limit);
  };

  return {
    /** What is due, oldest first, after the item that `after` names. */
    listDue: (step: Step, after: DueItem | undefined, limit: number): Promise<DueItem[]> =>
      select(db, step, after ? sql`(created_at, seq) > (${after.createdAt}, ${after.seq})` : sql`1 = 1`, limit),

    /**
     * Those of the items that are still due, locked until the transaction ends. An item that another transaction uses at
     * this moment is not among them: it may be on its way to a model.
     */
    async lockDue(trx: Trx, step: Step, items: readonly DueItem[]): Promise<DueItem[]> {
      let ids = items.map(({ itemId }) => itemId);
      if (ids.length > 0 && isPostgres) {
        const locked = await sql<{ item_id: string }>`select item_id from items
          where item_id in (${sql.join(ids)}) order by item_id for update skip locked`.execute(trx);
        ids = locked.rows.map((row) => row.item_id);
      }
      if (ids.length === 0) return [];
      // A second statement: it sees what was committed before the locks were given.
      return select(trx, step, sql`item_id in (${sql.join(ids)})`, ids.length);
    },

    async findImages(itemIds: readonly string[]): Promise<Pick<ItemImageRow, 'item_id' | 'position' | 'blob'>[]> {
      const images = db.selectFrom('item_images').select(['item_id', 'position', 'blob']);
      return images.where('item_id', 'in', itemIds).execute();
    },

    /** Their rows stay, and say since when. Anomaly maps go: without their image, nobody can look at them. */
    async markRemoved(trx: Trx, itemIds: readonly string[], at: string, hasThumbnails: boolean): Promise<void> {
      if (itemIds.length === 0) return;
      const changes = { images_removed_at: at, thumbnails_kept: hasThumbnails ? 1 : 0 };
      await trx.updateTable('items').set(changes).where('item_id', 'in', itemIds).execute();
      const maps = trx.updateTable('assessment_images').set({ score_layer: null }).where('item_id', 'in', itemIds);
      await maps.where('score_layer', 'is not', null).execute();
    },

    async insertThumbnails(trx: Trx, rows: readonly { item_id: string; position: number; webp: Buffer }[]) {
      if (rows.length > 0) await trx.insertInto('thumbnails').values(rows).execute();
    },

    /** Holds and removals come one after the other: what is held when the answer is sent stays. */
    async excludeOthers(trx: Trx): Promise<void> {
      if (isPostgres) await sql`select pg_advisory_xact_lock(hashtext('retention'))`.execute(trx);
    },

    /** Those of the items that somebody holds; at most `limit`. */
    async listHeld(trx: Trx, itemIds: readonly string[], limit: number): Promise<string[]> {
      const held: string[] = [];
      const condition = await isHeld(trx);
      for (const part of chunks(itemIds)) {
        const { rows } = await sql<{ item_id: string }>`select item_id from items
          where item_id in (${sql.join(part)}) and ${condition} limit ${limit}`.execute(trx);
        held.push(...rows.map((row) => row.item_id));
      }
      return held.slice(0, limit);
    },

    async countHeld(hold: { hold_id: string; filter: string | null }): Promise<number> {
      const { hold_id: id, filter } = hold;
      const { rows } = await (filter === null
        ? sql<{ count: number | string }>`select count(*) as count from held_items where hold_id = ${id}`
        : sql<{ count: number | string }>`select count(*) as count from items
            where ${matches(JSON.parse(filter) as HoldFilterInput)}`
      ).execute(db);
      return Number(rows[0]?.count ?? 0);
    },

    /**
     * Bytes of the images that came in the last 24 hours. Beyond so many items, the rate of the newest ones is taken for
     * the whole time.
     */
    async countAddedBytes(now: number): Promise<number> {
      const mostItems = 5000;
      const dayMs = 86_400_000;
      const since = new Date(now - dayMs).toISOString();
      const { rows } = await sql<{ count: number | string; bytes: number | string | null; oldest: string | null }>`
        select count(distinct newest.item_id) as count, sum(file_size) as bytes, min(newest.created_at) as oldest
        from (select item_id, created_at from items where created_at >= ${since}
          order by created_at desc, seq desc limit ${mostItems}) as newest
        inner join item_images on item_images.item_id = newest.item_id`.execute(db);
      const [found] = rows;
      const bytes = Number(found?.bytes ?? 0);
      if (Number(found?.count ?? 0) < mostItems || !found?.oldest) return bytes;
      return (bytes * dayMs) / Math.max(1000, now - Date.parse(found.oldest));
    },

    /** Bytes of all images that are there. */
    async countStoredBytes(): Promise<number> {
      const sum = db
        .selectFrom('counts')
        .select((builder) => builder.fn.sum<number | string | null>('bytes').as('bytes'))
        .where('scope', '=', 'images');
      return Number((await sum.executeTakeFirst())?.bytes ?? 0);
    },
  };
}

function byAge(one: DueItem, other: DueItem): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.seq - other.seq;
}
