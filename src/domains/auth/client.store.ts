import type { Selectable } from 'kysely';
import type { ClientsTable, Db } from '../../storage/database.ts';

export type Client = Selectable<ClientsTable>;

export interface ClientStore {
  findClient(clientId: string): Promise<Client | undefined>;
  listClients(): Promise<Client[]>;
  saveClient(client: Client): Promise<void>;
  revokeClient(clientId: string, at: string): Promise<boolean>;
}

export function createClientStore(db: Db): ClientStore {
  return {
    findClient: (clientId) => db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst(),
    listClients: () => db.selectFrom('clients').selectAll().orderBy('created_at').execute(),
    async saveClient(client) {
      const { client_id: _, ...changes } = client;
      await db
        .insertInto('clients')
        .values(client)
        .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changes))
        .execute();
    },
    async revokeClient(clientId, at) {
      const result = await db
        .updateTable('clients')
        .set({ revoked_at: at })
        .where('client_id', '=', clientId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  };
}
