import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../errors.ts';
import { nameOfRole } from '../../messages/value-names.ts';
import { type PinRole, pinOpens, type Role } from '../../roles.ts';
import type { Db } from '../../storage/database.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { Attempts } from './attempts.ts';
import type { Session, SessionStore, Terminal } from './session.store.ts';
import {
  callerOfUser,
  hashToken,
  newToken,
  type Origin,
  type SessionsService,
  type StartedSession,
} from './sessions.service.ts';
import type { UserStore } from './user.store.ts';

export type TerminalsService = ReturnType<typeof createTerminalsService>;

/** Wrong tries in a row that lock a PIN. */
const mostFailures = 5;

/** Terminals that several people share, and the PINs by which they take turns there. */
export function createTerminalsService(dependencies: {
  db: Db;
  store: SessionStore;
  users: UserStore;
  sessions: SessionsService;
  audit: AuditService;
  /** Counts tries by terminal, and by terminal and person where that person's PIN was right before. */
  attempts: Attempts;
  pinRole: PinRole;
}) {
  const { db, store, users, sessions, audit, attempts, pinRole } = dependencies;
  const decoyHash = hash(newToken());

  const findTerminal = async (id: string | undefined) =>
    id === undefined ? undefined : store.findTerminal(hashToken(id));
  /** Enough to tell terminals of one name apart. */
  const idOf = ({ terminal_hash }: Terminal): string => terminal_hash.slice(0, 12);
  const targetOf = (terminal: Terminal) => ({ id: idOf(terminal), details: { name: terminal.name } });

  return {
    pinRole,

    /** The terminal of a cookie, with the people who may sign in there by PIN. */
    async view(id: string | undefined) {
      const terminal = await findTerminal(id);
      if (!terminal) return null;
      const people = (await users.listUsers()).filter(
        (user) => user.pin_hash !== null && user.disabled_at === null && pinOpens(pinRole, user.role),
      );
      return { name: terminal.name, people: people.map(({ user_id, name }) => ({ user_id, name })) };
    },

    /** @param session of the person who makes it @returns the id for the cookie. The database has its hash only. */
    async enable(name: string, address: string, session: Session): Promise<string> {
      const id = newToken();
      const now = new Date().toISOString();
      const terminal = { terminal_hash: hashToken(id), name: name.trim(), created_at: now, address, used_at: now };
      await db.transaction().execute(async (trx) => {
        await store.saveTerminal(trx, terminal);
        await store.updateSession(session.session_hash, { terminal_hash: terminal.terminal_hash }, trx);
        await audit.record(trx, 'terminal.enable', [targetOf(terminal)]);
      });
      return id;
    },

    async disable(id: string | undefined): Promise<void> {
      const terminal = await findTerminal(id);
      if (!terminal) return;
      await db.transaction().execute(async (trx) => {
        await store.deleteTerminal(trx, terminal.terminal_hash);
        await audit.record(trx, 'terminal.disable', [targetOf(terminal)]);
      });
    },

    /** All of them, with who is signed in there at this moment. */
    async list() {
      return Promise.all(
        (await store.listTerminals()).map(async (terminal) => {
          const { name, address, created_at, used_at } = terminal;
          const signedIn = await sessions.findSignedInAt(terminal.terminal_hash);
          const person = signedIn && { name: signedIn.caller.name, method: signedIn.session.method };
          return { terminal_id: idOf(terminal), name, address, created_at, used_at, signed_in: person ?? null };
        }),
      );
    },

    /** Nobody signs in there by PIN any more, and who is signed in there is signed out. @throws AppError `terminal-not-found` */
    async end(terminalId: string): Promise<void> {
      const isId = /^[0-9a-f]{12}$/.test(terminalId);
      const terminal = isId ? await store.findTerminalStarting(terminalId) : undefined;
      if (!terminal) throw new AppError('terminal-not-found', { id: terminalId });
      await db.transaction().execute(async (trx) => {
        await store.deleteTerminal(trx, terminal.terminal_hash);
        await store.deleteSessionsAt(trx, terminal.terminal_hash);
        await audit.record(trx, 'terminal.disable', [targetOf(terminal)]);
      });
    },

    /** @throws AppError `pin-not-allowed` where the role of the person is above the setting */
    requireAllowed(role: Role): void {
      if (!pinOpens(pinRole, role)) throw new AppError('pin-not-allowed', { allowed: nameOfRole(pinRole) });
    },

    /** @throws AppError `pin-not-allowed`, `pin-locked`, `pin-refused`, `rate-limited` */
    async signIn(origin: Origin, userId: string, pin: string): Promise<StartedSession> {
      const terminal = await findTerminal(origin.terminalId);
      if (!terminal) throw new AppError('pin-not-allowed', { allowed: nameOfRole(pinRole) });
      const succeed = attempts.take(terminal.terminal_hash, userId);
      const user = await users.findUser(userId);
      const isOpen = user && user.pin_hash !== null && user.disabled_at === null && pinOpens(pinRole, user.role);
      // Counted before it is tried: tries at the same time are not more tries.
      const failures = isOpen ? await users.countPinFailure(userId) : 0;
      const isLocked = failures > mostFailures;
      const matches = await verify((isOpen && user.pin_hash) || (await decoyHash), pin);
      if (!isOpen || isLocked || !matches) {
        const details = { method: 'pin', terminal: terminal.name };
        await sessions.refuse(user && { id: userId, name: user.name }, details);
        throw new AppError(isLocked ? 'pin-locked' : 'pin-refused', { limit: mostFailures });
      }
      succeed();
      return db.transaction().execute(async (trx) => {
        await users.updateUser(trx, userId, { pin_failures: 0 });
        return sessions.open(
          trx,
          callerOfUser(user),
          user.pin_hash ?? '',
          origin,
          { method: 'pin' },
          { terminal: terminal.name },
        );
      });
    },
  };
}
