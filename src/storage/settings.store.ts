import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Trx } from './database.ts';

export interface SettingsStore {
  findSetting(key: string): Promise<string | undefined>;
  setSetting(key: string, value: string, trx?: Trx): Promise<void>;
  deleteSetting(key: string): Promise<void>;
  /** Whether the database answers, within two seconds. */
  isReachable(): Promise<boolean>;
  /** 32 random bytes, made once, the same for every process on this database. */
  getSecret(key: string): Promise<Uint8Array>;
}

export function createSettingsStore(db: Db): SettingsStore {
  const findSetting = async (key: string): Promise<string | undefined> =>
    (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;

  return {
    findSetting,
    async setSetting(key, value, trx) {
      await (trx ?? db)
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
    async deleteSetting(key) {
      await db.deleteFrom('settings').where('key', '=', key).execute();
    },
    async isReachable() {
      const answered = findSetting('').then(
        () => true,
        () => false,
      );
      return Promise.race([answered, pause(2000, false, { ref: false })]);
    },
    async getSecret(key) {
      const value = randomBytes(32).toString('base64');
      // Where two processes start at once, the first one's secret stands.
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return Buffer.from((await findSetting(key)) ?? value, 'base64');
    },
  };
}
