import type { Selectable, Updateable } from 'kysely';
import type { Db, Trx, UsersTable } from '../../storage/database.ts';

export type User = Selectable<UsersTable>;
export type UserStore = ReturnType<typeof createUserStore>;

export function createUserStore(db: Db) {
  const find = (trx: Db | Trx, column: 'user_id' | 'folded_name' | 'subject', value: string) =>
    trx.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();

  return {
    findUser: (userId: string, trx: Db | Trx = db): Promise<User | undefined> => find(trx, 'user_id', userId),
    findUserNamed: (foldedName: string, trx: Db | Trx = db): Promise<User | undefined> =>
      find(trx, 'folded_name', foldedName),
    findUserOfSubject: (subject: string, trx: Db | Trx = db): Promise<User | undefined> =>
      find(trx, 'subject', subject),
    listUsers: (): Promise<User[]> => db.selectFrom('users').selectAll().orderBy('folded_name').execute(),

    async hasUsers(trx: Db | Trx = db): Promise<boolean> {
      return (await trx.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) !== undefined;
    },

    async hasEnabledAdmin(trx: Trx): Promise<boolean> {
      const admins = trx.selectFrom('users').select('user_id').where('role', '=', 'admin');
      return (await admins.where('disabled_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
    },

    /** @returns whether the name was free. */
    async insertUser(trx: Trx, user: User): Promise<boolean> {
      const insertion = trx.insertInto('users').values(user);
      const result = await insertion
        .onConflict((conflict) => conflict.column('folded_name').doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async updateUser(trx: Trx, userId: string, changes: Updateable<UsersTable>): Promise<void> {
      await trx.updateTable('users').set(changes).where('user_id', '=', userId).execute();
    },

    /** Counts a wrong PIN before it is tried, in any process. @returns the number of tries since the last right one. */
    async countPinFailure(userId: string): Promise<number> {
      const update = db
        .updateTable('users')
        .set((row) => ({ pin_failures: row('pin_failures', '+', 1) }))
        .where('user_id', '=', userId);
      return (await update.returning('pin_failures').executeTakeFirst())?.pin_failures ?? 0;
    },
  };
}
