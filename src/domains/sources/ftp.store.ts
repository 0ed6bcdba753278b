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

    findByHash: (stationId: string, hash: string): Promise<FtpUploadRow | undefined> =>
      uploadsOf(stationId).where('hash', '=', hash).executeTakeFirst(),

    findByPath: (stationId: string, path: string): Promise<FtpUploadRow | undefined> =>
      uploadsOf(stationId).where('path', '=', path).executeTakeFirst(),

    findUpload: (itemId: string): Promise<FtpUploadRow | undefined> =>
      db.selectFrom('ftp_uploads').selectAll().where('item_id', '=', itemId).executeTakeFirst(),

    async setPath(itemId: string, path: string, trx: Trx): Promise<void> {
      await trx.updateTable('ftp_uploads').set({ path }).where('item_id', '=', itemId).execute();
    },

    /** Of uploads that need no other name. */
    async forgetUploads(itemIds: readonly string[]): Promise<void> {
      for (const part of chunks(itemIds))
        await db.deleteFrom('ftp_uploads').where('item_id', 'in', part).where('awaits_name', '=', 0).execute();
    },

    async deleteUpload(itemId: string, trx: Trx): Promise<void> {
      await trx.deleteFrom('ftp_uploads').where('item_id', '=', itemId).execute();
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
