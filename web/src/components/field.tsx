import { type ComponentProps, type ReactNode, useId, useState } from 'react';

export const inputClass =
  'w-full min-h-10 rounded-md border border-line-strong bg-surface px-3 text-ink placeholder:text-ink-soft aria-invalid:border-ng';

interface FieldTexts {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown in the place of the hint. */
  error?: string | undefined;
  className?: string | undefined;
}

interface FieldProps extends FieldTexts {
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A label with its control and a hint. */
export function Field({ label, hint, error, className = '', children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const noteId = `${id}-note`;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      {children({ id, ...(note ? { 'aria-describedby': noteId } : {}), ...(error ? { 'aria-invalid': true } : {}) })}
      {note && (
        <p id={noteId} className={`text-[13px] ${error ? 'text-ng' : 'text-ink-soft'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'className'>;

export function TextField({ label, hint, error, className, ...input }: FieldTexts & InputProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => <input className={inputClass} {...control} {...input} />}
    </Field>
  );
}

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: number | undefined;
  /** Gets undefined while the field is empty. */
  onNumber: (value: number | undefined) => void;
}

/** Shows six digits. The typed text stays until the field is left, so that it can be emptied and typed again. */
export function NumberInput({ value, onNumber, className = '', ...input }: NumberInputProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <input
      type="number"
      className={`${inputClass} tabular-nums ${className}`}
      value={draft ?? (value === undefined ? '' : Number(value.toPrecision(6)))}
      onChange={({ target }) => {
        setDraft(target.value);
        onNumber(Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber);
      }}
      onBlur={() => setDraft(undefined)}
      {...input}
    />
  );
}

export function NumberField({ label, hint, error, ...input }: FieldTexts & NumberInputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <NumberInput {...control} {...input} />}
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
    <Field label={label} className={className}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}

/** A small select. Screen readers read its label, which is not shown. */
export function CompactSelect({ label, className = '', ...select }: SelectProps & { label: string }) {
  return (
    <Select
      aria-label={label}
      className={`min-h-9 rounded-md border border-line-strong bg-surface px-2 text-[13px] ${className}`}
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
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export function ErrorNote({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md bg-ng-soft px-3 py-2 text-ng">
      {children}
    </p>
  );
}

interface CheckboxProps extends ComponentProps<'input'> {
  label: ReactNode;
}

/** A check box, or one button of a group with the same `name`. */
export function Checkbox({ label, type = 'checkbox', className = '', ...input }: CheckboxProps) {
  return (
    <label className={`inline-flex min-h-8 items-center gap-2 ${className}`}>
      <input type={type} className="size-4 shrink-0 accent-(--accent)" {...input} />
      <span>{label}</span>
    </label>
  );
}
