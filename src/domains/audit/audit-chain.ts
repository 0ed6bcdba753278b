import { createHash } from 'node:crypto';
import type { AuditRow } from '../../storage/database.ts';

/** The last entry of the trail. Before the first entry it is number 0. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

export const emptyTrail: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** SHA-256 of the canonical JSON of an entry, an array in this order, with the hash of the entry before. */
export function hashEntry(previousHash: string, entry: Omit<AuditRow, 'hash'>): string {
  const { seq, at, caller_kind, caller_id, caller_name, act, target_id, details, reason } = entry;
  const fields = [previousHash, seq, at, caller_kind, caller_id, caller_name, act, target_id, details, reason];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

export interface AuditFault {
  /** The first entry that is not as it was written. */
  readonly seq: number;
  readonly problem: 'changed' | 'missing' | 'removed-at-end' | 'added-at-end' | 'not-the-known-head';
}

/** Follows the chain from its first entry. @param heads that were noted before, and must be part of it */
export function createChainCheck(heads: readonly AuditHead[]) {
  let last = emptyTrail;
  let fault: AuditFault | undefined;
  return {
    /** @returns whether to go on. */
    add(row: AuditRow): boolean {
      const isOther = heads.some(({ seq, hash }) => seq === row.seq && hash !== row.hash);
      if (row.seq !== last.seq + 1) fault = { seq: last.seq + 1, problem: 'missing' };
      else if (row.hash !== hashEntry(last.hash, row)) fault = { seq: row.seq, problem: 'changed' };
      else if (isOther) fault = { seq: row.seq, problem: 'not-the-known-head' };
      else last = { seq: row.seq, hash: row.hash };
      return fault === undefined;
    },
    /** @param newest what the service notes as its last entry once all entries are read */
    finish(newest: AuditHead): { head: AuditHead; fault: AuditFault | undefined } {
      if (!fault && last.seq < Math.max(...heads.map(({ seq }) => seq)))
        fault = { seq: last.seq + 1, problem: 'removed-at-end' };
      if (!fault && last.seq > newest.seq) fault = { seq: newest.seq + 1, problem: 'added-at-end' };
      return { head: last, fault };
    },
  };
}
