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
  for (const listener of listeners) listener();
}

export const session = {
  get: (): State => state,
  begin: (started: Session): void => set({ session: started, expired: false }),
  /** What is on the screen stays, behind a form to log in again. */
  expire: (): void => {
    if (!state.expired) set({ session: state.session, expired: true });
  },
  end: (): void => set({ session: undefined, expired: false }),
};

export function useSession(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
