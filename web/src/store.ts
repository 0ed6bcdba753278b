import { useSyncExternalStore } from 'react';

export interface Store<State> {
  get(): State;
  set(next: State): void;
  /** @returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/** State outside of React, shared by several parts of the page. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get);
}
