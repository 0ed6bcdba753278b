import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, TargetsTable, Trx } from '../../storage/database.ts';

export type TargetRow = Selectable<TargetsTable>;
export type TargetStore = ReturnType<typeof createTargetStore>;

export function createTargetStore(db: Db) {
  const findDefault = (trx: Db) => trx.selectFrom('targets').selectAll().where('is_default', '=', 1).executeTakeFirst();

  return {
    listTargets: () => db.selectFrom('targets').selectAll().orderBy('target_id').execute(),

    findTarget: (targetId: number) =>
      db.selectFrom('targets').selectAll().where('target_id', '=', targetId).executeTakeFirst(),

    async getDefaultTarget(): Promise<TargetRow> {
      const target = await findDefault(db);
      if (!target) throw new Error('No default target: ensureDefaultTarget runs at every start.');
      return target;
    },

    insertTarget: (trx: Trx, target: Insertable<TargetsTable>) =>
      trx.insertInto('targets').values(target).returningAll().executeTakeFirstOrThrow(),

    updateTarget: (trx: Trx, targetId: number, changes: Updateable<TargetsTable>) =>
      trx.updateTable('targets').set(changes).where('target_id', '=', targetId).returningAll().executeTakeFirst(),

    /** Deletes it unless it is the default. @returns whether it did. */
    async deleteTarget(trx: Trx, targetId: number): Promise<boolean> {
      const query = trx.deleteFrom('targets').where('target_id', '=', targetId).where('is_default', '=', 0);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },

    /** Makes the target `default` without steps where there is no target at all. */
    async ensureDefaultTarget(now: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        if (await findDefault(trx)) return;
        const stamps = { created_at: now, updated_at: now };
        await trx
          .insertInto('targets')
          .values({ name: 'default', preprocessing: '[]', step_references: '{}', is_default: 1, ...stamps })
          .execute();
      });
    },

    async setDefaultTarget(trx: Trx, targetId: number, now: string): Promise<void> {
      await trx.updateTable('targets').set({ is_default: 0 }).where('is_default', '=', 1).execute();
      const chosen = { is_default: 1, updated_at: now };
      await trx.updateTable('targets').set(chosen).where('target_id', '=', targetId).execute();
    },
  };
}
