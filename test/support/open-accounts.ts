import { createAuditService } from '../../src/domains/audit/audit.service.ts';
import { createAuditStore } from '../../src/domains/audit/audit.store.ts';
import { type AuthService, createAuthService } from '../../src/domains/auth/auth.service.ts';
import { createClientStore } from '../../src/domains/auth/client.store.ts';
import type { Db } from '../../src/storage/database.ts';
import { createSettingsStore } from '../../src/storage/settings.store.ts';

/** Clients and their tokens on a database, without a service. */
export function openAccounts(db: Db): Promise<AuthService> {
  return createAuthService({
    db,
    audit: createAuditService({ db, store: createAuditStore(db) }),
    clients: createClientStore(db),
    settings: createSettingsStore(db),
    tokenSeconds: 3600,
  });
}
