import { PostgresAdapter } from 'kysely';
import { chunks } from '../../storage/chunks.ts';
import type { AuditRow, Db, Trx } from '../../storage/database.ts';
import { type AuditHead, emptyTrail } from './audit-chain.ts';

export type AuditStore = ReturnType<typeof createAuditStore>;

export interface AuditFilter {
  readonly act?: string | undefined;
  readonly caller?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const headKey = 'audit_head';
const reasonsKey = 'audit_reasons';

export function createAuditStore(db: Db) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;

  const readHead = async (trx: Db | Trx, hold: boolean): Promise<AuditHead | undefined> => {
    const query = trx.selectFrom('settings').select('value').where('key', '=', headKey);
    const row = await (hold && isPostgres ? query.forUpdate() : query).executeTakeFirst();
    const [seq, hash] = row?.value.split(' ') ?? [];
    return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
  };
  const headText = ({ seq, hash }: AuditHead): string => `${seq} ${hash}`;

  const filtered = ({ act, caller, target, from, until }: AuditFilter) => {
    let query = db.selectFrom('audit_log').selectAll();
    if (act !== undefined) query = query.where('act', '=', act);
    if (caller !== undefined)
      query = query.where((where) => where.or([where('caller_id', '=', caller), where('caller_name', '=', caller)]));
    if (target !== undefined) query = query.where('target_id', '=', target);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (until !== undefined) query = query.where('at', '<', until);
    return query;
  };

  return {
    findHead: async (): Promise<AuditHead> => (await readHead(db, false)) ?? emptyTrail,

    /** The head, which stays as it is for every other transaction until this one ends, so that all writers make one chain. */
    async holdHead(trx: Trx): Promise<AuditHead> {
      const head = await readHead(trx, true);
      if (head) return head;
      const first = { key: headKey, value: headText(emptyTrail) };
      await trx
        .insertInto('settings')
        .values(first)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await readHead(trx, true)) ?? emptyTrail;
    },

    async append(trx: Trx, rows: readonly AuditRow[]): Promise<void> {
      const last = rows.at(-1);
      if (!last) return;
      for (const chunk of chunks(rows)) await trx.insertInto('audit_log').values(chunk).execute();
      await trx
        .updateTable('settings')
        .set({ value: headText(last) })
        .where('key', '=', headKey)
        .execute();
    },

    /** Newest first. @param before entries with a smaller number only */
    listEntries: (filter: AuditFilter, count: number, before?: number): Promise<AuditRow[]> => {
      const query = filtered(filter).orderBy('seq', 'desc').limit(count);
      return (before === undefined ? query : query.where('seq', '<', before)).execute();
    },

    /** Oldest first, in portions. */
    async *readEntries(filter: AuditFilter = {}): AsyncGenerator<AuditRow[]> {
      const size = 5000;
      for (let after = 0; ; ) {
        const rows = await filtered(filter).where('seq', '>', after).orderBy('seq').limit(size).execute();
        if (rows.length > 0) yield rows;
        if (rows.length < size) return;
        after = rows.at(-1)?.seq ?? after;
      }
    },

    /** JSON: the acts that need a reason. */
    async findReasons(trx: Db | Trx = db): Promise<string | undefined> {
      const query = trx.selectFrom('settings').select('value').where('key', '=', reasonsKey);
      return (await query.executeTakeFirst())?.value;
    },

    async saveReasons(trx: Trx, value: string): Promise<void> {
      await trx
        .insertInto('settings')
        .values({ key: reasonsKey, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
  };
}
