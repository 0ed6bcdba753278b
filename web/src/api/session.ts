import type { Schemas } from '../../../src/client/shapes.ts';
import { mayAct, type Role } from '../../../src/roles.ts';
import { createStore } from '../store.ts';

export type PageSession = Schemas['PageSession'];
export type Account = Schemas['SessionAccount'];

interface State {
  /** As the service said last; undefined until it has answered. The cookie itself is out of reach of scripts. */
  readonly session: PageSession | undefined;
  readonly expired: boolean;
}

const store = createStore<State>({ session: undefined, expired: false });

const accountOf = ({ session: current }: State): Account | null => current?.account ?? null;

export const session = {
  ...store,
  account: (): Account | null => accountOf(store.get()),
  begin: (current: PageSession): void => store.set({ session: current, expired: false }),
  forgetTerminal: (): void => {
    const state = store.get();
    if (state.session) store.set({ ...state, session: { ...state.session, terminal: null } });
  },
  /** The screen stays, behind a form to sign in again. */
  expire: (): void => {
    const state = store.get();
    if (!state.expired && accountOf(state)) store.set({ ...state, expired: true });
  },
  /** Resolves at the next sign-in or sign-out, or when `signal` aborts. */
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

/** Whether the person who is signed in may do this. The service decides anyway. */
export const may = (needed: Role): boolean => {
  const role = session.account()?.role;
  return role !== undefined && mayAct(role, needed);
};
