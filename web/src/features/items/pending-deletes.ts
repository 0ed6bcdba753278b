import { api } from '../../api/kensa.ts';
import { showError } from '../../components/toast.tsx';
import { undoMs } from '../../components/undo.ts';
import { createStore, useStore } from '../../store.ts';

interface Batch {
  readonly ids: readonly string[];
  readonly timer: ReturnType<typeof setTimeout>;
  readonly onDone: () => void;
}

const batches = new Set<Batch>();
const hidden = createStore<ReadonlySet<string>>(new Set());

const deleteItems = (ids: readonly string[], keepalive = false) =>
  api.DELETE('/api/v1/items/', { body: { item_ids: [...ids] }, keepalive });

function publish(): void {
  hidden.set(new Set([...batches].flatMap((batch) => batch.ids)));
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

/** Deletes once the message that offers to undo it is gone. @returns the function that undoes it. */
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

/** Deletes at once what could still be undone. */
export async function commitDeletes(): Promise<void> {
  for (const batch of batches) clearTimeout(batch.timer);
  await Promise.all([...batches].map(commit));
}

// Leaving the page does not undo a deletion.
addEventListener('pagehide', () => {
  for (const batch of batches) {
    clearTimeout(batch.timer);
    void deleteItems(batch.ids, true).catch(() => undefined);
  }
});

/** The items that are about to be deleted. */
export const useHiddenItems = (): ReadonlySet<string> => useStore(hidden);
