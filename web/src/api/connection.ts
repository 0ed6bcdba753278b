import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

/** Whether the last request got an answer, of whatever kind. */
export const connection = {
  get: (): boolean => reachable,
  set: (next: boolean): void => {
    if (next === reachable) return;
    reachable = next;
    for (const listener of [...listeners]) listener();
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useReachable = (): boolean => useSyncExternalStore(subscribe, connection.get);
