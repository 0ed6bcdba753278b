import { Toast as Primitive } from 'radix-ui';
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { createStore, useStore } from '../store.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'error';
  readonly ms: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const toasts = createStore<readonly Toast[]>([]);
/** The place in the uppermost modal window, else in the frame: nothing outside of a window can be focused. */
const openWindow = createStore<Element | undefined>(undefined);
let nextId = 1;

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function showToast(text: string, options: Partial<Pick<Toast, 'tone' | 'ms' | 'action'>> = {}): number {
  const id = nextId++;
  toasts.set([...toasts.get().slice(-2), { id, text, tone: 'plain', ms: 5000, ...options }]);
  return id;
}

export function updateToast(id: number, text: string): void {
  toasts.set(toasts.get().map((toast) => (toast.id === id ? { ...toast, text } : toast)));
}

/** @param what names the action that failed, if the screen no longer shows it. */
export function showError(error: unknown, what?: string): void {
  if (error instanceof KensaError && error.status === 401) return;
  const text = errorText(error instanceof Error ? error : new Error(String(error)));
  showToast(what === undefined ? text : `${what} ${text}`, { tone: 'error', ms: 9000 });
}

export function errorText(error: Error): string {
  if (!(error instanceof KensaError)) return error.message;
  return `${error.title.replace(/[.!。]$/, '')}${t('sentenceEnd')}${error.message}`;
}

/** Where messages are shown: in the frame of the screens, and in a modal window while it is open. */
export function ToastPlace() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const below = openWindow.get();
    const here = place.current ?? undefined;
    openWindow.set(here);
    return () => {
      if (openWindow.get() === here) openWindow.set(below?.isConnected ? below : undefined);
    };
  }, []);
  return <div ref={place} />;
}

/** Short messages that cover no part of the screen: beside it, below the navigation, or above it where it is narrow. */
export function Toasts() {
  const shown = useStore(toasts);
  const place = useStore(openWindow) ?? document.body;
  // In review mode there is no navigation to be below of.
  const isBeside = place.closest('.shell-review') === null;
  return (
    <Primitive.Provider label={t('message')}>
      {shown.map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
      {createPortal(
        <Primitive.Viewport
          label={t('messages')}
          className={`pointer-events-none z-60 flex flex-col gap-2 ${isBeside ? 'max-xl:not-empty:border-b max-xl:not-empty:border-line max-xl:not-empty:p-2 xl:fixed xl:bottom-16 xl:left-2 xl:w-52' : 'not-empty:border-b not-empty:border-line not-empty:p-2'}`}
        />,
        place,
      )}
    </Primitive.Provider>
  );
}

function ShownToast({ toast }: { toast: Toast }) {
  const { id, text, tone, ms, action } = toast;
  return (
    <Primitive.Root
      duration={ms}
      onOpenChange={() => dismissToast(id)}
      className={`pointer-events-auto flex items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-1.5 xl:flex-wrap xl:shadow-lg ${tone === 'error' ? 'border-ng bg-ng-soft text-ng' : 'border-line-strong bg-surface text-ink'}`}
    >
      <Primitive.Description className="min-w-0 flex-1 break-words xl:basis-full">{text}</Primitive.Description>
      {action && (
        <Primitive.Action altText={action.label} asChild>
          <Button label={action.label} size="small" onClick={action.run} />
        </Primitive.Action>
      )}
      <Primitive.Close asChild>
        <IconButton icon="close" label={t('dismissMessage')} className="-mr-1.5 size-8 xl:ml-auto" />
      </Primitive.Close>
    </Primitive.Root>
  );
}
