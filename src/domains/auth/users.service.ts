import { hash } from '@node-rs/argon2';
import { uuidv7 } from 'uuidv7';
import { AppError, fieldError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Role } from '../../roles.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { foldName } from '../../storage/fold-name.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { SessionStore } from './session.store.ts';
import type { User, UserStore } from './user.store.ts';

export type UsersService = ReturnType<typeof createUsersService>;

/** What is not given stays. */
export interface UserChanges {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
}

export function createUsersService(dependencies: {
  db: Db;
  store: UserStore;
  sessions: SessionStore;
  audit: AuditService;
}) {
  const { db, store, sessions, audit } = dependencies;

  const requireUser = async (userId: string, trx?: Trx): Promise<User> => {
    const user = await store.findUser(userId, trx);
    if (!user) throw new AppError('user-not-found', { id: userId });
    return user;
  };

  const nameTaken = (name: string) => fieldError('invalid-request', 'name', say('user.name-taken', { name }));

  const insert = async (trx: Trx, { name, role, ...credentials }: NewUser): Promise<User> => {
    const user: User = {
      user_id: uuidv7(),
      name: name.trim(),
      folded_name: foldName(name.trim()),
      role,
      password_hash: null,
      pin_hash: null,
      pin_failures: 0,
      subject: null,
      created_at: new Date().toISOString(),
      disabled_at: null,
      ...credentials,
    };
    if (!(await store.insertUser(trx, user))) throw nameTaken(user.name);
    await audit.record(trx, 'user.add', [{ id: user.user_id, details: { name: user.name, role } }]);
    return user;
  };

  return {
    requireUser,
    listUsers: store.listUsers,
    hasUsers: store.hasUsers,

    /** The person of this name. @throws AppError `user-not-found` */
    async getUserNamed(name: string): Promise<User> {
      const user = await store.findUserNamed(foldName(name.trim()));
      if (!user) throw new AppError('user-not-found', { id: name });
      return user;
    },

    async addUser({
      name,
      role,
      password,
    }: {
      name: string;
      role: Role;
      password?: string | undefined;
    }): Promise<User> {
      const passwordHash = password === undefined ? null : await hash(password);
      return db.transaction().execute((trx) => insert(trx, { name, role, password_hash: passwordHash }));
    },

    /**
     * The person of single sign-on, who is made at the first sign-in, with the role that the provider says. It may take the
     * role of the last administrator, too: a person who lost the role there must not keep it here.
     */
    async takeOver(trx: Trx, { subject, name, role }: { subject: string; name: string; role: Role }): Promise<User> {
      const user = await store.findUserOfSubject(subject, trx);
      // Somebody of this name may have an account here, which is not given away to a name at the provider.
      if (!user) return insert(trx, { name, role, subject });
      if (user.role === role) return user;
      await store.updateUser(trx, user.user_id, { role });
      const isLast = user.role === 'admin' && !(await store.hasEnabledAdmin(trx));
      const details = { name: user.name, role, single_sign_on: true, ...(isLast ? { last_admin: true } : {}) };
      await audit.record(trx, 'user.change', [{ id: user.user_id, details }]);
      return { ...user, role };
    },

    async changeUser(userId: string, { name, role, disabled }: UserChanges): Promise<User> {
      return db.transaction().execute(async (trx) => {
        const before = await requireUser(userId, trx);
        const trimmed = name?.trim();
        if (trimmed !== undefined) {
          const other = await store.findUserNamed(foldName(trimmed), trx);
          if (other && other.user_id !== userId) throw nameTaken(trimmed);
        }
        const changes = {
          ...(trimmed === undefined ? {} : { name: trimmed, folded_name: foldName(trimmed) }),
          ...(role === undefined ? {} : { role }),
          ...(disabled === undefined ? {} : { disabled_at: disabled ? new Date().toISOString() : null }),
        };
        if (Object.keys(changes).length > 0) await store.updateUser(trx, userId, changes);
        if (disabled) await sessions.deleteSessionsOf(trx, userId);
        const after = await requireUser(userId, trx);
        const details = { name: after.name, role: after.role, disabled: after.disabled_at !== null };
        await audit.record(trx, 'user.change', [{ id: userId, details }]);
        // After the entry, which lets one transaction at a time pass: two administrators cannot remove each other.
        if (before.role === 'admin' && !(await store.hasEnabledAdmin(trx))) throw new AppError('last-admin');
        return after;
      });
    },

    /** Ends the person's sessions: those of the old password. A PIN that was locked by wrong tries works again. */
    async setPassword(userId: string, password: string): Promise<void> {
      const passwordHash = await hash(password);
      await db.transaction().execute(async (trx) => {
        const { name } = await requireUser(userId, trx);
        await store.updateUser(trx, userId, { password_hash: passwordHash, pin_failures: 0 });
        await sessions.deleteSessionsOf(trx, userId);
        await audit.record(trx, 'user.password', [{ id: userId, details: { name } }]);
      });
    },

    unlockPin: (trx: Trx, userId: string): Promise<void> => store.updateUser(trx, userId, { pin_failures: 0 }),

    /** Ends the sessions of the PIN until now. @param pin null takes it away */
    async setPin(userId: string, pin: string | null): Promise<void> {
      if (pin !== null && isEasyPin(pin)) throw fieldError('invalid-request', 'pin', say('user.pin-easy'));
      const pinHash = pin === null ? null : await hash(pin);
      await db.transaction().execute(async (trx) => {
        const { name } = await requireUser(userId, trx);
        await store.updateUser(trx, userId, { pin_hash: pinHash, pin_failures: 0 });
        await audit.record(trx, 'user.pin', [{ id: userId, details: { name, removed: pin === null } }]);
      });
    },
  };
}

type NewUser = Pick<User, 'name' | 'role'> & Partial<Pick<User, 'password_hash' | 'subject'>>;

/** One digit again and again, or digits in a row: what a stranger tries first. */
const isEasyPin = (pin: string): boolean =>
  /^(\d)\1+$/.test(pin) || '0123456789012'.includes(pin) || '2109876543210'.includes(pin);
