import { createStore } from '../store.ts';

/** The token lives here and nowhere else: a reload of the page forgets it. */
export interface Session {
  readonly token: string;
  readonly clientId: string;
}

interface State {
  readonly session: Session | undefined;
  readonly expired: boolean;
}

const store = createStore<State>({ session: undefined, expired: false });

export const session = {
  ...store,
  begin: (started: Session): void => store.set({ session: started, expired: false }),
  /** The screen stays, behind a form to log in again. */
  expire: (token: string): void => {
    const { session: current, expired } = store.get();
    if (!expired && current?.token === token) store.set({ session: current, expired: true });
  },
  end: (): void => store.set({ session: undefined, expired: false }),
  /** Resolves at the next login or logout, or when `signal` aborts. */
  renewed: (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const settle = () => {
        if (store.get().expired && !signal.aborted) return;
        unsubscribe();
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const unsubscribe = store.subscribe(settle);
      signal.addEventListener('abort', settle);
      settle();
    }),
};
