import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { type Caller, currentCaller } from '../../caller.ts';
import { AppError } from '../../errors.ts';
import { type PinRole, pinOpens } from '../../roles.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Attempts } from './attempts.ts';
import { type AuthService, callerOf, fingerprintOf } from './auth.service.ts';
import type { Session, SessionStore } from './session.store.ts';
import type { User, UserStore } from './user.store.ts';

export type SessionsService = ReturnType<typeof createSessionsService>;

export interface StartedSession {
  /** For the cookie. The database has its hash only. */
  readonly id: string;
  readonly caller: Caller;
  readonly seconds: number;
}

/** Where somebody signs in. */
export interface Origin {
  readonly address: string;
  /** The cookie of a shared terminal. */
  readonly terminalId?: string | undefined;
}

/** Signed in by whom, and how. */
export interface SignedIn {
  readonly caller: Caller;
  readonly session: Session;
  readonly hasPin: boolean;
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
export const newToken = (): string => randomBytes(32).toString('base64url');

export const callerOfUser = ({ user_id: id, name, role }: User): Caller => ({ kind: 'user', id, name, role });

export function createSessionsService(dependencies: {
  db: Db;
  store: SessionStore;
  users: UserStore;
  auth: AuthService;
  audit: AuditService;
  attempts: Attempts;
  sessionSeconds: number;
  pinRole: PinRole;
}) {
  const { db, store, users, auth, audit, attempts, sessionSeconds, pinRole } = dependencies;
  // As for clients: the time of an answer does not tell which names exist.
  const decoyHash = hash(newToken());

  const open = async (
    trx: Trx,
    caller: Caller,
    secretHash: string,
    { address, terminalId }: Origin,
    more: Pick<Session, 'method'> & Partial<Session>,
    details: object = {},
  ): Promise<StartedSession> => {
    const id = newToken();
    const now = Date.now();
    const terminalHash = terminalId === undefined ? null : hashToken(terminalId);
    const use = { address, used_at: new Date(now).toISOString() };
    const isShared = terminalHash !== null && (await store.noteTerminalUse(trx, terminalHash, use));
    await store.insertSession(trx, {
      session_hash: hashToken(id),
      account_kind: caller.kind === 'client' ? 'client' : 'user',
      account_id: caller.id ?? '',
      fingerprint: fingerprintOf(secretHash),
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + sessionSeconds * 1000).toISOString(),
      id_token: null,
      refresh_token: null,
      check_at: null,
      terminal_hash: isShared ? terminalHash : null,
      ...more,
    });
    await audit.record(
      trx,
      'session.sign-in',
      [{ id: caller.id, details: { method: more.method, ...details } }],
      caller,
    );
    return { id, caller, seconds: sessionSeconds };
  };

  const refuse = (account: { id: string; name: string } | undefined, details: object): Promise<void> => {
    // A name that nobody has may be a password in the wrong field.
    const caller: Caller = { kind: 'system', id: null, name: account?.name ?? '?', role: 'viewer' };
    const target = { id: account?.id ?? null, details };
    return db.transaction().execute((trx) => audit.record(trx, 'session.refused', [target], caller));
  };

  const findAccount = async (session: Session) => {
    if (session.account_kind === 'client') {
      const client = await auth.findClient(session.account_id);
      if (client?.revoked_at !== null) return undefined;
      return { caller: callerOf(client), secretHash: client.secret_hash, hasPin: false };
    }
    const user = await users.findUser(session.account_id);
    if (!user || user.disabled_at !== null) return undefined;
    const isByPin = session.method === 'pin';
    if (isByPin && !pinOpens(pinRole, user.role)) return undefined;
    const secretHash = (isByPin ? user.pin_hash : user.password_hash) ?? '';
    return { caller: callerOfUser(user), secretHash, hasPin: user.pin_hash !== null };
  };

  const findValid = async (session: Session): Promise<SignedIn | undefined> => {
    if (session.expires_at <= new Date().toISOString()) return undefined;
    const account = await findAccount(session);
    if (!account || session.fingerprint !== fingerprintOf(account.secretHash)) return undefined;
    return { caller: account.caller, session, hasPin: account.hasPin };
  };

  return {
    open,
    refuse,

    /** @throws AppError `sign-in-refused`, `rate-limited` */
    async signIn(name: string, password: string, origin: Origin): Promise<StartedSession> {
      const { address } = origin;
      const account = foldName(name.trim());
      const succeed = attempts.take(address, account);
      const user = await users.findUserNamed(account);
      if (user) {
        const matches = await verify(user.password_hash ?? (await decoyHash), password);
        if (!matches || user.password_hash === null || user.disabled_at !== null) {
          await refuse({ id: user.user_id, name: user.name }, { method: 'password', address });
          throw new AppError('sign-in-refused');
        }
        succeed();
        const { user_id: userId, password_hash: secretHash } = user;
        return db.transaction().execute(async (trx) => {
          await users.updateUser(trx, userId, { pin_failures: 0 });
          return open(trx, callerOfUser(user), secretHash, origin, { method: 'password' });
        });
      }
      const client = await auth.findMatchingClient(name.trim(), password);
      if (!client) {
        await refuse(undefined, { method: 'password', address });
        throw new AppError('sign-in-refused');
      }
      succeed();
      return db
        .transaction()
        .execute((trx) => open(trx, callerOf(client), client.secret_hash, origin, { method: 'password' }));
    },

    /** Who is signed in with this cookie, with the role of this moment. */
    async findSignedIn(id: string): Promise<SignedIn | undefined> {
      const session = await store.findSession(hashToken(id));
      return session && findValid(session);
    },

    /** Who is signed in at a shared terminal. */
    async findSignedInAt(terminalHash: string): Promise<SignedIn | undefined> {
      for (const session of await store.listSessionsAt(terminalHash)) {
        const signedIn = await findValid(session);
        if (signedIn) return signedIn;
      }
      return undefined;
    },

    async signOut({ caller, session }: SignedIn): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await store.deleteSession(trx, session.session_hash);
        await audit.record(trx, 'session.sign-out', [{ id: caller.id }], caller);
      });
    },

    /** A browser that gets a new session gives its old one back, so that nobody goes on with it. */
    async forget(id: string): Promise<void> {
      await store.deleteSession(db, hashToken(id));
    },

    /** The password of the caller. @throws AppError `sign-in-refused` */
    async checkPassword(password: string, address: string): Promise<User> {
      const { id, name } = currentCaller();
      const user = await users.findUser(id ?? '');
      const succeed = attempts.take(address, foldName(name));
      const matches = await verify(user?.password_hash ?? (await decoyHash), password);
      if (!user || user.password_hash === null || !matches) throw new AppError('sign-in-refused');
      succeed();
      return user;
    },
  };
}
