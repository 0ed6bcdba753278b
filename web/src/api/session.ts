import { useSyncExternalStore } from 'react';

/** The token lives here and nowhere else: a reload of the page forgets it. */
export interface Session {
  readonly token: string;
  readonly clientId: string;
}

type State = { readonly session: Session | undefined; readonly expired: boolean };

let state: State = { session: undefined, expired: false };
const listeners = new Set<() => void>();

function set(next: State): void {
  state = next;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const session = {
  get: (): State => state,
  begin: (started: Session): void => set({ session: started, expired: false }),
  /** What is on the screen stays, behind a form to log in again. */
  expire: (token: string): void => {
    if (!state.expired && state.session?.token === token) set({ session: state.session, expired: true });
  },
  end: (): void => set({ session: undefined, expired: false }),
  /** Resolves when somebody logged in again, logged out, or `signal` gave up waiting. */
  renewed: (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const settle = () => {
        if (state.expired && !signal.aborted) return;
        unsubscribe();
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const unsubscribe = subscribe(settle);
      signal.addEventListener('abort', settle);
      settle();
    }),
};

export function useSession(): State {
  return useSyncExternalStore(subscribe, () => state);
}
