import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from './roles.ts';

/** Who asks for an act. */
export interface Caller {
  readonly kind: 'user' | 'client' | 'station' | 'command' | 'system';
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
  /** Why the act is done, in the caller's own words. */
  readonly reason?: string | undefined;
}

const store = new AsyncLocalStorage<Caller>();
const system: Caller = { kind: 'system', id: null, name: 'Kensa', role: 'admin' };

/** The caller of the request or command under way. Work that nobody asked for at this moment is done by the system. */
export const currentCaller = (): Caller => store.getStore() ?? system;

export const runAs = <T>(caller: Caller, work: () => T): T => store.run(caller, work);

export const runAsSystem = <T>(work: () => T): T => store.run(system, work);
