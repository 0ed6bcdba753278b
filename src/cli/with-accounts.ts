import { userInfo } from 'node:os';
import { runAs } from '../caller.ts';
import { loadConfig } from '../config.ts';
import { type AuditService, createAuditService } from '../domains/audit/audit.service.ts';
import { createAuditStore } from '../domains/audit/audit.store.ts';
import { type Accounts, openAccounts } from '../domains/auth/accounts.ts';
import { migrate, requireMigrated } from '../storage/migrate.ts';
import { openDatabaseBeside } from '../storage/open-storage.ts';
import { createSettingsStore } from '../storage/settings.store.ts';

/** Works on the database of the settings, while the service runs or not. The audit trail names the user of this machine. */
export async function withAccounts<T>(
  work: (accounts: Accounts & { audit: AuditService }) => Promise<T>,
  reason?: string,
): Promise<T> {
  const config = loadConfig();
  const { db, isAlone, close } = openDatabaseBeside(config);
  try {
    await (isAlone ? migrate(db) : requireMigrated(db));
    const audit = createAuditService({ db, store: createAuditStore(db) });
    const accounts = await openAccounts({ db, audit, settings: createSettingsStore(db), config });
    const caller = { kind: 'command', id: null, name: userInfo().username, role: 'admin', reason } as const;
    return await runAs(caller, () => work({ ...accounts, audit }));
  } finally {
    await close();
  }
}
