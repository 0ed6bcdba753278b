import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { noteOpenDialog } from './open-dialogs.ts';
import { Toasts } from './toast.tsx';

interface DialogProps {
  title: string;
  onClose?: () => void;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
}

/** A modal window. It is shown as long as it is rendered; without `onClose` it cannot be put away. */
export function Dialog({ title, onClose, children, footer, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const t = useText();
  // Closed before it leaves the document: only then does the focus go back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    const forget = noteOpenDialog(titleId);
    const fields = [...(dialog?.querySelectorAll<HTMLInputElement>('form input') ?? [])];
    (fields.find((field) => field.value === '') ?? fields[0])?.focus();
    return () => {
      forget();
      dialog?.close();
    };
  }, [titleId]);
  // A browser closes it at a second Escape without asking.
  const closedByBrowser = () => {
    const dialog = element.current;
    if (!dialog || dialog.open) return;
    if (onClose) onClose();
    else dialog.showModal();
  };
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={closedByBrowser}
      className={classNames(
        'max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-xl border border-line bg-surface p-0 text-ink shadow-2xl',
        wide ? 'max-w-3xl' : 'max-w-lg',
      )}
    >
      <div className="flex max-h-[calc(100dvh-2rem)] flex-col">
        <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
          <h2 id={titleId} className="py-1.5 text-base font-semibold">
            {title}
          </h2>
          {onClose && (
            <IconButton label={t('close')} onClick={onClose}>
              <Icon name="close" />
            </IconButton>
          )}
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by key */}
        <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto p-5 -outline-offset-2">
          {children}
        </div>
        {footer !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
        )}
      </div>
      <Toasts dialog={titleId} />
    </dialog>
  );
}
