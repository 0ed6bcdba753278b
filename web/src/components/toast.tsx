import { Toast as Primitive } from 'radix-ui';
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { KensaError } from '../../../src/client/kensa-error.ts';
import { t } from '../i18n/text.ts';
import { createStore, useStore } from '../store.ts';
import { Button, IconButton } from './button.tsx';
import { MiddleTruncated } from './middle-truncated.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'error';
  readonly ms: number;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** A new message takes the place of an earlier one of its topic, or of the same text. */
  readonly topic?: string;
}

const toasts = createStore<readonly Toast[]>([]);
interface Place {
  readonly node: Element;
  readonly level: number;
}

const places = createStore<readonly Place[]>([]);
let nextId = 1;

/** Whether a message is shown. */
export const useIsShown = (id: number | undefined): boolean => useStore(toasts).some((toast) => toast.id === id);

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function showToast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): number {
  const id = nextId++;
  const others = toasts
    .get()
    .filter((one) => one.text !== text && (one.topic === undefined || one.topic !== options.topic));
  const toast: Toast = { id, text, tone: 'plain', ms: 5000, ...options };
  toasts.set([...others.slice(-2), toast]);
  // The primitive's own time stands still while the focus is where a message was.
  if (Number.isFinite(toast.ms)) setTimeout(() => dismissToast(id), toast.ms);
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

interface ToastPlaceProps {
  /** Of the frame, of a screen that has a place of its own, and of a modal window: nothing outside of it can be focused. */
  level: 'frame' | 'screen' | 'window';
  className?: string;
}

const levels = ['frame', 'screen', 'window'];

/** Where messages are shown. They take room of their own and cover nothing. The place of the highest level has them all. */
export function ToastPlace({ level, className = '' }: ToastPlaceProps) {
  const node = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!node.current) return;
    const place = { node: node.current, level: levels.indexOf(level) };
    places.set([...places.get(), place]);
    return () => places.set(places.get().filter((one) => one !== place));
  }, [level]);
  return <div ref={node} className={`@container/messages ${className}`} />;
}

export function Toasts() {
  const shown = useStore(toasts);
  const place =
    useStore(places)
      .toSorted((one, other) => one.level - other.level)
      .at(-1)?.node ?? document.body;
  return (
    <Primitive.Provider label={t('message')}>
      {shown.map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
      {createPortal(
        <Primitive.Viewport
          label={t('messages')}
          className={`flex max-h-[40dvh] flex-col gap-2 overflow-y-auto ${place === document.body ? 'fixed inset-x-2 bottom-2' : ''}`}
        />,
        place,
      )}
    </Primitive.Provider>
  );
}

function ShownToast({ toast }: { toast: Toast }) {
  const { id, text, tone, action, topic } = toast;
  return (
    <Primitive.Root
      duration={Number.POSITIVE_INFINITY}
      onOpenChange={() => dismissToast(id)}
      className={`flex items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-1 @max-[17rem]/messages:flex-wrap ${tone === 'error' ? 'border-ng bg-ng-soft text-ng' : 'border-line-strong bg-surface text-ink'}`}
    >
      <Primitive.Description className="min-w-0 flex-1 break-words @max-[17rem]/messages:basis-full">
        {topic === undefined ? text : <MiddleTruncated text={text} />}
      </Primitive.Description>
      {action && (
        <Primitive.Action altText={action.label} asChild>
          <Button label={action.label} size="small" onClick={action.run} />
        </Primitive.Action>
      )}
      <Primitive.Close asChild>
        <IconButton icon="close" label={t('dismissMessage')} className="-mr-1.5 ml-auto" />
      </Primitive.Close>
    </Primitive.Root>
  );
}
