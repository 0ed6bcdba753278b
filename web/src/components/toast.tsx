import { useSyncExternalStore } from 'react';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { useText } from '../i18n/use-text.ts';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { useTopDialog } from './open-dialogs.ts';

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

/**
 * Short messages at the lower edge. While a modal window is open they are part of it: what lies outside is covered and
 * cannot be clicked.
 * @param dialog the window that this is in; absent: the page
 */
export function Toasts({ dialog }: { dialog?: string }) {
  const t = useText();
  const isHere = useTopDialog() === dialog;
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
      {(isHere ? shown : []).map((toast) => (
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
          <IconButton label={t('dismissMessage')} className="-mr-2 size-8" onClick={() => dismissToast(toast.id)}>
            <Icon name="close" size={15} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
