export interface ClientsTable {
  client_id: string;
  name: string;
  /** argon2id, PHC string. */
  secret_hash: string;
  created_at: string;
  revoked_at: string | null;
}
