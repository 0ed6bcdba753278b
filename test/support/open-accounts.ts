import { type AuditService, createAuditService } from '../../src/domains/audit/audit.service.ts';
import { createAuditStore } from '../../src/domains/audit/audit.store.ts';
import { type AuthService, createAuthService } from '../../src/domains/auth/auth.service.ts';
import { createClientStore } from '../../src/domains/auth/client.store.ts';
import type { Db } from '../../src/storage/database.ts';
import { createSettingsStore } from '../../src/storage/settings.store.ts';

export const openAudit = (db: Db): AuditService => createAuditService({ db, store: createAuditStore(db) });

/** Clients and their tokens on a database, without a service. */
export function openAccounts(db: Db): Promise<AuthService> {
  const settings = createSettingsStore(db);
  return createAuthService({ db, audit: openAudit(db), clients: createClientStore(db), settings, tokenSeconds: 3600 });
}
