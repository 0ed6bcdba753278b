import { type Caller, currentCaller } from '../../caller.ts';
import { AppError } from '../../errors.ts';
import type { AuditRow, Db, Trx } from '../../storage/database.ts';
import { type Act, actsWithReason } from './acts.ts';
import type { AuditFilter, AuditStore } from './audit.store.ts';
import { type AuditFault, type AuditHead, createChainCheck, hashEntry } from './audit-chain.ts';

export type AuditService = ReturnType<typeof createAuditService>;

/** What an act was done to, and what an auditor would ask about it. */
export interface AuditTarget {
  readonly id: string | number | null;
  readonly details?: object | undefined;
}

export function createAuditService({ db, store }: { db: Db; store: AuditStore }) {
  const readReasons = (stored: string | undefined): Act[] => (stored === undefined ? [] : JSON.parse(stored));

  /**
   * Writes an entry for each target, in the transaction of the act: both are there, or neither. Call it last in the
   * transaction, because the other writers of the trail wait from here until it ends.
   * @throws AppError `reason-required` where the act needs a reason and the caller gave none
   */
  const record = async (
    trx: Trx,
    act: Act,
    targets: readonly AuditTarget[],
    caller: Caller = currentCaller(),
  ): Promise<void> => {
    if (targets.length === 0) return;
    const isAsked = caller.kind === 'user' || caller.kind === 'client';
    if (isAsked && caller.reason === undefined && readReasons(await store.findReasons(trx)).includes(act))
      throw new AppError('reason-required', { act });
    const at = new Date().toISOString();
    let { seq, hash } = await store.holdHead(trx);
    const rows = targets.map(({ id, details = {} }): AuditRow => {
      seq += 1;
      const entry = {
        seq,
        at,
        caller_kind: caller.kind,
        caller_id: caller.id,
        caller_name: caller.name,
        act,
        target_id: id === null ? null : String(id),
        details: JSON.stringify(details),
        reason: caller.reason ?? null,
      };
      hash = hashEntry(hash, entry);
      return { ...entry, hash };
    });
    await store.append(trx, rows);
  };

  return {
    record,

    listEntries: store.listEntries,
    readEntries: (filter: AuditFilter) => store.readEntries(filter),

    /** Follows the whole chain. @param known a head of an earlier time, which must still be part of it */
    async verify(known?: AuditHead): Promise<{ head: AuditHead; fault: AuditFault | undefined }> {
      // Entries that are written meanwhile come after this one.
      const noted = await store.findHead();
      const check = createChainCheck(known ? [noted, known] : [noted]);
      read: for await (const rows of store.readEntries()) {
        for (const row of rows) if (!check.add(row)) break read;
      }
      return check.finish(await store.findHead());
    },

    listReasons: async (): Promise<Act[]> => readReasons(await store.findReasons()),

    async setReasons(asked: readonly Act[]): Promise<Act[]> {
      const sorted = actsWithReason.filter((act) => asked.includes(act));
      await db.transaction().execute(async (trx) => {
        const before = readReasons(await store.findReasons(trx));
        await store.saveReasons(trx, JSON.stringify(sorted));
        await record(trx, 'reasons.change', [{ id: null, details: { before, after: sorted } }]);
      });
      return sorted;
    },
  };
}
