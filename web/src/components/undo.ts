import { t } from '../i18n/text.ts';
import { createStore, useStore } from '../store.ts';
import { dismissToast, showError, showToast, useIsShown } from './toast.tsx';

/** Something that the user did and can take back. */
interface Change {
  readonly id: number;
  /** What was done, as the message and the button name it. */
  readonly text: string;
  readonly undo: () => unknown;
  readonly toast: number;
}

/** So long a message offers to take its change back. The keys take back the changes of the whole visit. */
export const undoMs = 10_000;
const keptChanges = 100;

const changes = createStore<readonly Change[]>([]);
/** Called before a change is taken back: what is not sent yet becomes a change itself. */
const pending = new Set<() => void>();
let lastId = 0;

/**
 * Remembers the change and tells of it in a message with a button that takes it back.
 * @param topic a later message of this topic takes the place of this one
 * @returns the id for `forgetChange`
 */
export function announceChange(text: string, undo: Change['undo'], topic?: string): number {
  const id = ++lastId;
  const action = { label: t('undo'), run: () => void undoChange(id) };
  const toast = showToast(text, { ms: undoMs, action, ...(topic === undefined ? {} : { topic }) });
  changes.set([...changes.get(), { id, text, undo, toast }].slice(-keptChanges));
  return id;
}

/** It cannot be taken back any more, or did not happen. */
export function forgetChange(id: number): void {
  const change = changes.get().find((one) => one.id === id);
  if (change) dismissToast(change.toast);
  changes.set(changes.get().filter((one) => one !== change));
}

/** Takes back the change with this id, or the last one. */
export async function undoChange(id?: number): Promise<void> {
  for (const settle of pending) settle();
  const all = changes.get();
  const change = id === undefined ? all.at(-1) : all.find((one) => one.id === id);
  if (!change) return;
  forgetChange(change.id);
  try {
    await change.undo();
    // The message with the button has named the change.
    if (id === undefined) showToast(t('undone', { what: change.text }), { ms: 3000 });
  } catch (error) {
    changes.set([...changes.get(), change]);
    showError(error);
  }
}

/** @returns the function that ends it. */
export function beforeUndo(settle: () => void): () => void {
  pending.add(settle);
  return () => pending.delete(settle);
}

export const forgetAllChanges = (): void => changes.set([]);

/** The change that the next undo takes back, and whether a message offers to. */
export function useLastChange() {
  const change = useStore(changes).at(-1);
  const isOffered = useIsShown(change?.toast);
  return { what: change?.text, isOffered };
}
