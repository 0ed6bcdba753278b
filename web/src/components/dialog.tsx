import { useMutation } from '@tanstack/react-query';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../i18n/text.ts';
import { ActionButton, Button, IconButton } from './button.tsx';
import { Form, TextField } from './field.tsx';
import { ToastPlace } from './toast.tsx';

interface DialogProps {
  title: string;
  onClose?: () => void;
  children: ReactNode;
  footer?: ReactNode;
  size?: 'normal' | 'wide' | 'full';
}

const sizes = {
  normal: 'h-fit max-w-lg',
  wide: 'h-fit max-w-3xl',
  full: 'h-[calc(100dvh-2rem)] max-w-7xl',
};

/** A modal window. It is open as long as it is rendered; without `onClose` it cannot be closed. */
export function Dialog({ title, onClose, children, footer, size = 'normal' }: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  const content = useRef<HTMLDivElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isUppermost = [...document.querySelectorAll('[role=dialog]')].at(-1) === content.current;
    if (event.key !== 'Escape' || !isUppermost) return;
    // Nothing below the window takes the key.
    event.preventDefault();
    onClose?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <Primitive.Root open onOpenChange={() => onClose?.()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-[rgb(6_12_16/0.55)]" />
        <Primitive.Content
          ref={content}
          aria-describedby={undefined}
          // The primitive would close a message in the window's place.
          onEscapeKeyDown={(event) => event.preventDefault()}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener instanceof HTMLElement) opener.focus();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          className={`fixed inset-0 z-50 m-auto flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col rounded-xl border border-line bg-surface shadow-2xl outline-none ${sizes[size]}`}
        >
          <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
            <Primitive.Title className="py-1.5 text-base font-semibold">{title}</Primitive.Title>
            {onClose && (
              <Primitive.Close asChild>
                <IconButton icon="close" label={t('close')} />
              </Primitive.Close>
            )}
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by key */}
          <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto p-5 -outline-offset-2">
            {children}
          </div>
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
          <ToastPlace level="window" className="has-[li]:p-2" />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The first empty field of a form, else its first field. A window without a form keeps the usual order. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const fields = [...content.querySelectorAll<HTMLInputElement>('form input')];
  const field = fields.find(({ value }) => value === '') ?? fields[0];
  if (!field) return;
  event.preventDefault();
  field.focus();
}

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** What its button says; absent: that it deletes. */
  confirm?: string;
  action: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before it deletes something for good. */
export function ConfirmDialog({ title, children, confirm = t('remove'), action, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button label={t('cancel')} onClick={onClose} />
          <ActionButton label={confirm} look="danger" action={action} />
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface NameDialogProps {
  title: string;
  initial?: string;
  maxLength: number;
  save: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for a name, and closes when it is saved. */
export function NameDialog({ title, initial = '', maxLength, save, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const { isPending, mutate } = useMutation({ mutationFn: () => save(name.trim()), onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={mutate} className="flex flex-col gap-4">
        <TextField
          label={t('name')}
          required
          maxLength={maxLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button label={t('save')} type="submit" look="primary" disabled={name.trim() === '' || isPending} />
      </Form>
    </Dialog>
  );
}
