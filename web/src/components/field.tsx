import { type ChangeEvent, type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import { classNames } from './class-names.ts';

export const inputClass =
  'w-full min-h-10 rounded-md border border-line-strong bg-surface px-3 text-ink placeholder:text-ink-soft aria-invalid:border-ng';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A label with its control and a hint, or an error in the place of the hint. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const noted = hint !== undefined || error !== undefined;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      {children({ id, ...(noted ? { 'aria-describedby': noteId } : {}), ...(error ? { 'aria-invalid': true } : {}) })}
      {noted && (
        <p id={noteId} className={classNames('text-[13px]', error ? 'text-ng' : 'text-ink-soft')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} {...(error === undefined ? {} : { error })} className={className ?? ''}>
      {(control) => <input className={inputClass} {...control} {...input} />}
    </Field>
  );
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly (readonly [value: string | number, text: string])[];
  onChange: (value: string) => void;
}

export function Select({ options, onChange, className, ...select }: SelectProps) {
  return (
    <select className={className ?? inputClass} onChange={(event) => onChange(event.target.value)} {...select}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function SelectField({ label, className, ...select }: SelectProps & { label: string }) {
  return (
    <Field label={label} className={className ?? ''}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}

/** A small select. Screen readers read its label, which is not shown. */
export function CompactSelect({ label, className, ...select }: SelectProps & { label: string }) {
  return (
    <Select
      aria-label={label}
      className={classNames('min-h-9 rounded-md border border-line-strong bg-surface px-2 text-[13px]', className)}
      {...select}
    />
  );
}

interface FormProps {
  className: string;
  onSubmit: () => unknown;
  children: ReactNode;
}

export function Form({ className, onSubmit, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={className} onSubmit={submit}>
      {children}
    </form>
  );
}

export function Checkbox({ label, className, ...input }: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={classNames('inline-flex min-h-8 items-center gap-2', className)}>
      <input type="checkbox" className="size-4 accent-(--accent)" {...input} />
      <span>{label}</span>
    </label>
  );
}

/** For a number field: the typed text stays until the field is left, so that it can be emptied and typed again. */
export function useNumberDraft(value: number | undefined, onNumber: (value: number) => void) {
  const [draft, setDraft] = useState<string>();
  return {
    value: draft ?? (value === undefined ? '' : String(value)),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setDraft(target.value);
      if (!Number.isNaN(target.valueAsNumber)) onNumber(target.valueAsNumber);
    },
    onBlur: () => setDraft(undefined),
  };
}
