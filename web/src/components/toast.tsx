import { useSyncExternalStore } from 'react';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'error';
  readonly action?: { readonly label: string; readonly run: () => void };
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function showToast(
  text: string,
  options: Partial<Pick<Toast, 'tone' | 'action'>> & { ms?: number } = {},
): number {
  const { ms = 5000, tone = 'plain', action } = options;
  const id = nextId++;
  set([...toasts.slice(-3), { id, text, tone, ...(action ? { action } : {}) }]);
  setTimeout(() => dismissToast(id), ms);
  return id;
}

export function showError(error: unknown): void {
  showFailure('', error);
}

/** @param what could not be done, where the screen does not show it any more. */
export function showFailure(what: string, error: unknown): void {
  if (error instanceof KensaError && error.status === 401) return;
  const text =
    error instanceof KensaError
      ? `${error.title.replace(/[.!]$/, '')}. ${error.message}`
      : String((error as Error).message ?? error);
  showToast(`${what} ${text}`.trim(), { tone: 'error', ms: 9000 });
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-34 z-40 flex flex-col items-center gap-2 px-4 md:bottom-6"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          className={classNames(
            'pointer-events-auto flex max-w-xl items-center gap-3 rounded-lg border px-4 py-2 shadow-lg',
            toast.tone === 'error' ? 'border-ng bg-ng-soft text-ng' : 'border-line-strong bg-surface text-ink',
          )}
        >
          <span className="min-w-0 break-words">{toast.text}</span>
          {toast.action && (
            <Button
              size="small"
              onClick={() => {
                toast.action?.run();
                dismissToast(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
