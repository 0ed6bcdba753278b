import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Trx } from './database.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(db: Db) {
  const findSetting = async (key: string): Promise<string | undefined> =>
    (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;

  /** Sets it unless it is set. Where two processes do so at once, the value of the first stands. @returns that value. */
  const keepSetting = async (key: string, value: string): Promise<string> => {
    await db
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await findSetting(key)) ?? value;
  };

  return {
    findSetting,
    keepSetting,

    async setSetting(key: string, value: string, trx: Db | Trx = db): Promise<void> {
      await trx
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },

    /** Whether the database answers, within two seconds. */
    async isReachable(): Promise<boolean> {
      const answered = findSetting('').then(
        () => true,
        () => false,
      );
      return Promise.race([answered, pause(2000, false, { ref: false })]);
    },

    /** 32 random bytes, made once, the same for every process on this database. */
    async getSecret(key: string): Promise<Uint8Array> {
      return Buffer.from(await keepSetting(key, randomBytes(32).toString('base64')), 'base64');
    },
  };
}
