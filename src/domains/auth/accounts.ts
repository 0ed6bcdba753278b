import type { Config } from '../../config.ts';
import type { Db } from '../../storage/database.ts';
import type { SettingsStore } from '../../storage/settings.store.ts';
import type { AuditService } from '../audit/audit.service.ts';
import { createAttempts } from './attempts.ts';
import { createAuthService } from './auth.service.ts';
import { createClientStore } from './client.store.ts';
import { createSessionStore } from './session.store.ts';
import { createSessionsService } from './sessions.service.ts';
import { createTerminalsService } from './terminals.service.ts';
import { createUserStore } from './user.store.ts';
import { createUsersService } from './users.service.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Clients, people, their sessions, and shared terminals, for the service and the command line. */
export async function openAccounts(dependencies: {
  db: Db;
  audit: AuditService;
  settings: SettingsStore;
  config: Pick<Config, 'KENSA_TOKEN_SECONDS' | 'KENSA_SESSION_HOURS' | 'KENSA_LOGIN_ATTEMPTS' | 'KENSA_PIN_ROLE'>;
}) {
  const { db, audit, settings, config } = dependencies;
  const { KENSA_PIN_ROLE: pinRole, KENSA_LOGIN_ATTEMPTS: perMinute } = config;
  const clients = createClientStore(db);
  const auth = await createAuthService({ db, audit, clients, settings, tokenSeconds: config.KENSA_TOKEN_SECONDS });
  const sessionStore = createSessionStore(db);
  const userStore = createUserStore(db);
  const users = createUsersService({ db, audit, store: userStore, sessions: sessionStore });
  const sessions = createSessionsService({
    db,
    auth,
    audit,
    store: sessionStore,
    users: userStore,
    attempts: createAttempts({ perMinute, accounts: true }),
    sessionSeconds: config.KENSA_SESSION_HOURS * 3600,
    pinRole,
  });
  const terminals = createTerminalsService({
    db,
    audit,
    sessions,
    store: sessionStore,
    users: userStore,
    attempts: createAttempts({ perMinute, accounts: false }),
    pinRole,
  });
  return { auth, users, sessions, terminals, sessionStore };
}
