import { useSyncExternalStore } from 'react';

/** Modal windows that are open, the uppermost last. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

function set(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** @returns what ends it. */
export function noteOpenDialog(id: string): () => void {
  set([...open, id]);
  return () => set(open.filter((other) => other !== id));
}

/** The window that everything outside of it is behind; undefined: none is open. */
export function useTopDialog(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open.at(-1),
  );
}
