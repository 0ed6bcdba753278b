import type { ConfigSchema } from '../api/queries.ts';
import { choiceText } from '../i18n/server-texts.ts';
import { inputClass, NumberInput, Select } from './field.tsx';

interface SchemaInputProps {
  schema: ConfigSchema;
  value: unknown;
  required?: boolean;
  control: object;
  /** Gets undefined for an empty number field: its default applies. */
  onChange: (value: unknown) => void;
}

/** The control for a value of this schema. */
export function SchemaInput({ schema, value, required = false, control, onChange }: SchemaInputProps) {
  if (schema.type === 'boolean' || schema.enum) {
    const choices = schema.enum ?? [true, false];
    return (
      <Select
        value={String(value)}
        options={choices.map((choice) => [String(choice), choiceText(String(choice))])}
        onChange={(chosen) => onChange(choices.find((choice) => String(choice) === chosen))}
        {...control}
      />
    );
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <NumberInput
        step={schema.type === 'integer' ? 1 : 'any'}
        min={schema.minimum ?? schema.exclusiveMinimum}
        max={schema.maximum}
        required={required}
        value={value === undefined ? undefined : Number(value)}
        onNumber={onChange}
        {...control}
      />
    );
  }
  return (
    <input
      className={inputClass}
      required={required}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      {...control}
    />
  );
}
