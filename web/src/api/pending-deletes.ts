import { showError } from '../components/toast.tsx';
import { announceChange, forgetChange, undoMs } from '../components/undo.ts';
import { createStore, useStore } from '../store.ts';
import { api, ofTarget } from './kensa.ts';
import { queryClient, reasonsQuery, refreshAll } from './queries.ts';
import { askReason } from './reason.ts';

interface RequestOptions {
  readonly headers: Record<string, string>;
  /** The request outlives the page. */
  readonly keepalive: boolean;
}

const kinds = {
  item: (ids: readonly string[], options: RequestOptions) =>
    api.DELETE('/api/v1/items/', { body: { item_ids: [...ids] }, ...options }),
  model: (ids: readonly string[], options: RequestOptions) =>
    api.DELETE('/api/v1/models/', { params: { query: { model_ids: [...ids] } }, ...options }),
  target: ([id]: readonly string[], options: RequestOptions) =>
    api.DELETE('/api/v1/targets/{target_id}', { ...ofTarget(Number(id)), ...options }),
};

export type DeletedKind = keyof typeof kinds;

interface Batch {
  readonly kind: DeletedKind;
  readonly ids: readonly string[];
  /** What the message says, such as "3 items deleted". */
  readonly text: string;
  readonly reason: string | undefined;
  readonly change: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** A browser sends so many bytes after the page is left. */
const keepaliveBytes = 60_000;

const batches = createStore<readonly Batch[]>([]);

const send = ({ kind, ids, reason }: Batch, keepalive = false): Promise<unknown> =>
  kinds[kind](ids, { headers: reason === undefined ? {} : { 'x-reason': encodeURIComponent(reason) }, keepalive });

function drop(batch: Batch): void {
  clearTimeout(batch.timer);
  batches.set(batches.get().filter((one) => one !== batch));
}

async function commit(batch: Batch): Promise<void> {
  clearTimeout(batch.timer);
  forgetChange(batch.change);
  try {
    await send(batch);
  } catch (error) {
    showError(error, `${batch.text}:`);
  }
  drop(batch);
  await refreshAll();
}

/**
 * Hides them at once, and deletes them once the message that offers to undo it is gone. Where such a deletion needs a
 * reason, it is asked for first.
 * @returns false if the person gave no reason
 */
export async function deleteLater(kind: DeletedKind, ids: readonly string[], text: string): Promise<boolean> {
  const act = `${kind}.delete` as const;
  const { acts } = await queryClient.fetchQuery(reasonsQuery());
  const needsReason = acts.includes(act);
  const reason = needsReason ? await askReason(act) : undefined;
  if (needsReason && reason === undefined) return false;
  const change = announceChange(text, () => drop(batch));
  const timer = setTimeout(() => void commit(batch), undoMs);
  const batch: Batch = { kind, ids, text, reason, change, timer };
  batches.set([...batches.get(), batch]);
  return true;
}

/** Deletes at once what could still be undone. */
export async function commitDeletes(): Promise<void> {
  await Promise.all(batches.get().map(commit));
}

// Leaving the page does not undo a deletion.
addEventListener('pagehide', () => {
  for (const batch of batches.get()) {
    forgetChange(batch.change);
    drop(batch);
    void send(batch, true).catch(() => undefined);
  }
});

// More than a browser sends after the page is left: the deletion starts now, and the browser asks whether to stay.
addEventListener('beforeunload', (event) => {
  if (JSON.stringify(batches.get()).length < keepaliveBytes) return;
  void commitDeletes();
  event.preventDefault();
});

/** The ids of those that are about to be deleted. */
export function useDeleted(kind: DeletedKind): ReadonlySet<string> {
  const all = useStore(batches);
  return new Set(all.filter((batch) => batch.kind === kind).flatMap(({ ids }) => ids));
}
