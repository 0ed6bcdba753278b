import type { Selectable, Updateable } from 'kysely';
import type { Db, SessionsTable, Trx } from '../../storage/database.ts';

export type Session = Selectable<SessionsTable>;
export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(db: Db) {
  return {
    findSession: (hash: string): Promise<Session | undefined> =>
      db.selectFrom('sessions').selectAll().where('session_hash', '=', hash).executeTakeFirst(),

    /** Also forgets the sessions that are over. */
    async insertSession(trx: Trx, session: Session): Promise<void> {
      await trx.deleteFrom('sessions').where('expires_at', '<', session.created_at).execute();
      await trx.insertInto('sessions').values(session).execute();
    },

    /** Moves the time of the next check on. @returns whether this caller did it, and no other at the same time. */
    async claimCheck(hash: string, due: string, next: string): Promise<boolean> {
      const update = db.updateTable('sessions').set({ check_at: next });
      const claim = update.where('session_hash', '=', hash).where('check_at', '=', due);
      return (await claim.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async updateSession(hash: string, changes: Updateable<SessionsTable>): Promise<void> {
      await db.updateTable('sessions').set(changes).where('session_hash', '=', hash).execute();
    },

    async deleteSession(trx: Db | Trx, hash: string): Promise<void> {
      await trx.deleteFrom('sessions').where('session_hash', '=', hash).execute();
    },

    async deleteSessionsOf(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },

    findTerminal: (hash: string) =>
      db.selectFrom('terminals').selectAll().where('terminal_hash', '=', hash).executeTakeFirst(),

    async saveTerminal(trx: Trx, terminal: { terminal_hash: string; name: string; created_at: string }): Promise<void> {
      await trx.insertInto('terminals').values(terminal).execute();
    },

    async deleteTerminal(trx: Trx, hash: string): Promise<void> {
      await trx.deleteFrom('terminals').where('terminal_hash', '=', hash).execute();
    },
  };
}
