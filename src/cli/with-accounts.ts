import { userInfo } from 'node:os';
import { runAs } from '../caller.ts';
import { loadConfig } from '../config.ts';
import { type AuditService, createAuditService } from '../domains/audit/audit.service.ts';
import { createAuditStore } from '../domains/audit/audit.store.ts';
import { type AuthService, createAuthService } from '../domains/auth/auth.service.ts';
import { createClientStore } from '../domains/auth/client.store.ts';
import { createSessionStore } from '../domains/auth/session.store.ts';
import { createUserStore } from '../domains/auth/user.store.ts';
import { createUsersService, type UsersService } from '../domains/auth/users.service.ts';
import { migrate, requireMigrated } from '../storage/migrate.ts';
import { openDatabaseBeside } from '../storage/open-storage.ts';
import { createSettingsStore } from '../storage/settings.store.ts';

interface Accounts {
  readonly auth: AuthService;
  readonly users: UsersService;
  readonly audit: AuditService;
}

/** Works on the database of the settings, while the service runs or not. The audit trail names the user of this machine. */
export async function withAccounts<T>(work: (accounts: Accounts) => Promise<T>, reason?: string): Promise<T> {
  const { db, isAlone, close } = openDatabaseBeside(loadConfig());
  try {
    await (isAlone ? migrate(db) : requireMigrated(db));
    const audit = createAuditService({ db, store: createAuditStore(db) });
    const auth = await createAuthService({
      db,
      audit,
      clients: createClientStore(db),
      settings: createSettingsStore(db),
      tokenSeconds: 3600,
    });
    const users = createUsersService({ db, audit, store: createUserStore(db), sessions: createSessionStore(db) });
    const caller = { kind: 'command', id: null, name: userInfo().username, role: 'admin', reason } as const;
    return await runAs(caller, () => work({ auth, users, audit }));
  } finally {
    await close();
  }
}
