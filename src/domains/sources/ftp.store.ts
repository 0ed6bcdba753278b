import { chunks } from '../../storage/chunks.ts';
import type { Db, FtpUploadRow, Trx } from '../../storage/database.ts';

export type FtpStore = ReturnType<typeof createFtpStore>;

export function createFtpStore(db: Db) {
  const uploadsOf = (stationId: string) =>
    db.selectFrom('ftp_uploads').selectAll().where('station_id', '=', stationId).orderBy('created_at', 'desc').limit(1);

  return {
    findLogin: (userName: string) =>
      db.selectFrom('ftp_logins').selectAll().where('user_name', '=', userName).executeTakeFirst(),

    findLoginOf: (stationId: string) =>
      db.selectFrom('ftp_logins').selectAll().where('station_id', '=', stationId).executeTakeFirst(),

    async saveLogin(trx: Trx, login: { station_id: string; user_name: string; secret_hash: string }): Promise<void> {
      const { secret_hash } = login;
      await trx
        .insertInto('ftp_logins')
        .values({ ...login, created_at: new Date().toISOString() })
        .onConflict((conflict) => conflict.column('station_id').doUpdateSet({ secret_hash }))
        .execute();
    },

    async addUpload(upload: FtpUploadRow, trx: Trx): Promise<void> {
      await trx.insertInto('ftp_uploads').values(upload).execute();
    },

    findRepeated: (stationId: string, path: string, hash: string): Promise<FtpUploadRow | undefined> =>
      uploadsOf(stationId).where('hash', '=', hash).where('path', '=', path).executeTakeFirst(),

    findByPath: (stationId: string, path: string): Promise<FtpUploadRow | undefined> =>
      uploadsOf(stationId).where('path', '=', path).executeTakeFirst(),

    findUpload: (itemId: string): Promise<FtpUploadRow | undefined> =>
      db.selectFrom('ftp_uploads').selectAll().where('item_id', '=', itemId).executeTakeFirst(),

    /** Of uploads that need no other name. */
    async forgetUploads(itemIds: readonly string[]): Promise<void> {
      for (const part of chunks(itemIds))
        await db.deleteFrom('ftp_uploads').where('item_id', 'in', part).where('awaits_name', '=', 0).execute();
    },

    /** Those of `itemIds` that have a row. */
    async listAmong(itemIds: readonly string[]): Promise<string[]> {
      const rows: { item_id: string }[] = [];
      for (const part of chunks(itemIds))
        rows.push(...(await db.selectFrom('ftp_uploads').select('item_id').where('item_id', 'in', part).execute()));
      return rows.map(({ item_id }) => item_id);
    },

    /** No other name is awaited any more. */
    async setReleased(itemId: string, trx: Trx): Promise<void> {
      await trx.updateTable('ftp_uploads').set({ awaits_name: 0 }).where('item_id', '=', itemId).execute();
    },

    /** Uploads from before `time` that wait for another name. */
    listAwaiting: (time: string): Promise<FtpUploadRow[]> =>
      db
        .selectFrom('ftp_uploads')
        .selectAll()
        .where('awaits_name', '=', 1)
        .where('created_at', '<', time)
        .limit(500)
        .execute(),

    async pruneUploads(time: string): Promise<void> {
      await db.deleteFrom('ftp_uploads').where('awaits_name', '=', 0).where('created_at', '<', time).execute();
    },
  };
}
