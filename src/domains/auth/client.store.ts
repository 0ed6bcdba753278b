import type { Selectable } from 'kysely';
import type { ClientsTable, Db, Trx } from '../../storage/database.ts';

export type Client = Selectable<ClientsTable>;

export type ClientStore = ReturnType<typeof createClientStore>;

export function createClientStore(db: Db) {
  return {
    findClient: (clientId: string) =>
      db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst(),
    listClients: () => db.selectFrom('clients').selectAll().orderBy('created_at').execute(),
    async saveClient(trx: Trx, client: Client): Promise<void> {
      const { client_id: _, ...changes } = client;
      await trx
        .insertInto('clients')
        .values(client)
        .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changes))
        .execute();
    },
    async revokeClient(trx: Trx, clientId: string, at: string): Promise<boolean> {
      const result = await trx
        .updateTable('clients')
        .set({ revoked_at: at })
        .where('client_id', '=', clientId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  };
}
