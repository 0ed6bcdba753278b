import { useSyncExternalStore } from 'react';
import { deleteItems } from '../../api/mutations.ts';
import { showError } from '../../components/toast.tsx';

/** How long a deletion can be taken back: it reaches the server only then. */
export const undoMs = 8_000;

interface Batch {
  readonly ids: readonly string[];
  readonly timer: ReturnType<typeof setTimeout>;
  readonly onDone: () => void;
}

const batches = new Set<Batch>();
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function publish(): void {
  hidden = new Set([...batches].flatMap((batch) => batch.ids));
  for (const listener of listeners) listener();
}

async function commit(batch: Batch): Promise<void> {
  try {
    await deleteItems(batch.ids);
  } catch (error) {
    showError(error);
  }
  batches.delete(batch);
  batch.onDone();
  publish();
}

/** Deletes after a while. @returns the function that takes it back. */
export function deleteLater(ids: readonly string[], onDone: () => void): () => void {
  const batch: Batch = { ids, onDone, timer: setTimeout(() => void commit(batch), undoMs) };
  batches.add(batch);
  publish();
  return () => {
    clearTimeout(batch.timer);
    batches.delete(batch);
    publish();
  };
}

/** Deletes at once what could still be taken back. */
export async function commitDeletes(): Promise<void> {
  for (const batch of batches) clearTimeout(batch.timer);
  await Promise.all([...batches].map(commit));
}

// Leaving the page is no way to take a deletion back.
addEventListener('pagehide', () => {
  for (const batch of batches) {
    clearTimeout(batch.timer);
    void deleteItems(batch.ids, true).catch(() => undefined);
  }
});

/** Items that are as good as deleted. */
export function useHiddenItems(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );
}
