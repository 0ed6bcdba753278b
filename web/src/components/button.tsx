import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { Link } from 'react-router';
import type { Role } from '../../../src/roles.ts';
import { may } from '../api/session.ts';
import { VerdictMark } from './badge.tsx';
import { Icon, type IconName } from './icon.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger' | 'ok' | 'ng';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-accent-ink border-accent hover:brightness-110',
  plain: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-surface text-ng border-ng hover:bg-ng-soft',
  ok: 'bg-surface text-ok border-ok hover:bg-ok-soft aria-pressed:bg-ok aria-pressed:text-surface',
  ng: 'bg-surface text-ng border-ng hover:bg-ng-soft aria-pressed:bg-ng aria-pressed:text-surface',
};

const shape =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap disabled:opacity-45 transition-colors any-pointer-coarse:min-h-11';

export function buttonClass(look: Look = 'plain', size: 'small' | 'normal' = 'normal'): string {
  return `${shape} ${size === 'small' ? 'min-h-8 px-2.5 text-[13px]' : 'min-h-10 px-3.5'} ${looks[look]}`;
}

interface ButtonProps extends ComponentProps<'button'> {
  label: string;
  look?: Look;
  size?: 'small' | 'normal';
  icon?: IconName;
  /** Who sees it: others would be refused by the service. */
  needs?: Role;
  /** On a phone only the icon is shown. */
  compact?: boolean;
}

export function Button(props: ButtonProps) {
  const { label, look, size, icon, compact, needs, className = '', children, ...rest } = props;
  if (needs !== undefined && !may(needs)) return null;
  return (
    <button type="button" className={`${buttonClass(look, size)} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {(look === 'ok' || look === 'ng') && <VerdictMark verdict={look === 'ok' ? 'OK' : 'NG'} />}
      {compact ? <span className="max-md:sr-only">{label}</span> : label}
      {children}
    </button>
  );
}

/** A button that is disabled while its action runs. An error of the action is shown as a message. */
export function ActionButton({ action, disabled, ...rest }: ButtonProps & { action: () => Promise<unknown> }) {
  const { isPending, mutate } = useMutation({ mutationFn: action });
  return <Button disabled={disabled || isPending} onClick={() => mutate()} {...rest} />;
}

interface LinkButtonProps extends Pick<ButtonProps, 'label' | 'look' | 'size' | 'icon'> {
  to: string;
  needs?: Role;
}

/** A link that looks like a button. */
export function LinkButton({ to, label, look, size, icon, needs }: LinkButtonProps) {
  if (needs !== undefined && !may(needs)) return null;
  return (
    <Link to={to} className={buttonClass(look, size)}>
      {icon && <Icon name={icon} />}
      {label}
    </Link>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  /** Shown as a hint. */
  label: string;
  needs?: Role;
}

export function IconButton({ icon, label, needs, className = '', ...rest }: IconButtonProps) {
  if (needs !== undefined && !may(needs)) return null;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-10 shrink-0 items-center justify-center rounded-md hover:bg-sunken disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

interface FileButtonProps {
  label: string;
  icon: IconName;
  /** The file types to choose from. */
  accept?: string;
  /** Several files; or a whole folder. */
  choose?: 'files' | 'folder';
  onFiles: (files: FileList) => void;
  needs?: Role;
}

/** Opens the browser's window to choose files. */
export function FileButton({ label, icon, accept, choose, onFiles, needs }: FileButtonProps) {
  const id = useId();
  if (needs !== undefined && !may(needs)) return null;
  return (
    <span className="inline-flex">
      <input
        id={id}
        type="file"
        multiple={choose !== undefined}
        accept={accept}
        className="peer sr-only"
        onChange={({ target }) => {
          if (target.files?.length) onFiles(target.files);
          target.value = '';
        }}
        {...(choose === 'folder' ? { webkitdirectory: '' } : {})}
      />
      <label
        htmlFor={id}
        className={`${buttonClass()} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent`}
      >
        <Icon name={icon} /> {label}
      </label>
    </span>
  );
}
