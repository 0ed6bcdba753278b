import type { Selectable, Updateable } from 'kysely';
import type { Db, SessionsTable, TerminalsTable, Trx } from '../../storage/database.ts';

export type Session = Selectable<SessionsTable>;
export type Terminal = Selectable<TerminalsTable>;
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

    async updateSession(hash: string, changes: Updateable<SessionsTable>, trx: Db | Trx = db): Promise<void> {
      await trx.updateTable('sessions').set(changes).where('session_hash', '=', hash).execute();
    },

    async deleteSession(trx: Db | Trx, hash: string): Promise<void> {
      await trx.deleteFrom('sessions').where('session_hash', '=', hash).execute();
    },

    async deleteSessionsOf(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },

    findTerminal: (hash: string) =>
      db.selectFrom('terminals').selectAll().where('terminal_hash', '=', hash).executeTakeFirst(),

    listTerminals: (): Promise<Terminal[]> => db.selectFrom('terminals').selectAll().orderBy('created_at').execute(),

    /** @param start of its hash */
    findTerminalStarting: (start: string): Promise<Terminal | undefined> =>
      db.selectFrom('terminals').selectAll().where('terminal_hash', 'like', `${start}%`).executeTakeFirst(),

    /** @returns whether there is such a terminal. */
    async noteTerminalUse(trx: Trx, hash: string, use: { address: string; used_at: string }): Promise<boolean> {
      const update = trx.updateTable('terminals').set(use).where('terminal_hash', '=', hash);
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Newest first. */
    listSessionsAt: (terminalHash: string): Promise<Session[]> =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('terminal_hash', '=', terminalHash)
        .orderBy('created_at', 'desc')
        .execute(),

    async deleteSessionsAt(trx: Trx, terminalHash: string): Promise<void> {
      await trx.deleteFrom('sessions').where('terminal_hash', '=', terminalHash).execute();
    },

    async saveTerminal(trx: Trx, terminal: Terminal): Promise<void> {
      await trx.insertInto('terminals').values(terminal).execute();
    },

    async deleteTerminal(trx: Trx, hash: string): Promise<void> {
      await trx.deleteFrom('terminals').where('terminal_hash', '=', hash).execute();
    },
  };
}
