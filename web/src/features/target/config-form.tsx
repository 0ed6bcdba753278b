import type { Item } from '../../../../src/client/shapes.ts';
import type { ConfigSchema } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, Field, inputClass, useNumberDraft } from '../../components/field.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';
import { fieldValue, type StepConfig } from './draft-steps.ts';
import { PolygonList } from './polygon-list.tsx';
import type { Polygon } from './polygons.ts';

interface ConfigFormProps {
  schema: ConfigSchema;
  config: StepConfig;
  sample: Item | undefined;
  onChange: (config: StepConfig) => void;
}

/** Fields as the step's schema describes them. */
export function ConfigForm({ schema, config, sample, onChange }: ConfigFormProps) {
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = config;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    if (name === 'polygons') {
      const polygons = (config['polygons'] ?? []) as readonly Polygon[];
      const unit = config['unit'] === 'pixel' ? 'pixel' : 'percent';
      const image = sample?.images[0] ?? { width: 100, height: 100 };
      return <PolygonList key={name} {...{ polygons, unit, image }} onChange={(next) => set(name, next)} />;
    }
    const parts = {
      name,
      field,
      value: fieldValue(config, name, field),
      onChange: (value: unknown) => set(name, value),
    };
    if (field.type === 'object') return <ObjectField key={name} {...parts} />;
    return <PlainField key={name} {...parts} sample={sample} required={schema.required?.includes(name) ?? false} />;
  });
  return <div className="grid grid-cols-2 gap-3">{fields}</div>;
}

interface FieldParts {
  name: string;
  field: ConfigSchema;
  value: unknown;
  onChange: (value: unknown) => void;
}

function PlainField({
  name,
  field,
  value,
  sample,
  required,
  onChange,
}: FieldParts & { sample: Item | undefined; required: boolean }) {
  const t = useText();
  const texts = useServerTexts();
  return (
    <Field
      label={texts.fieldName(name)}
      hint={texts.fieldHint(name, field.description)}
      className={isShort(field) ? '' : 'col-span-2'}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <ConfigInput {...{ field, value, required, control, onChange }} />
          {name === 'reference' && sample && (
            <Button size="small" onClick={() => onChange(sample.item_id)}>
              {t('useShownItem')}
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

const isShort = ({ type, enum: choices }: ConfigSchema): boolean =>
  choices === undefined && (type === 'number' || type === 'integer');

/** A group of numbers that may be left out as a whole. */
function ObjectField({ name, field, value, onChange }: FieldParts) {
  const texts = useServerTexts();
  const names = Object.keys(field.properties ?? {});
  const hint = texts.fieldHint(name, field.description);
  return (
    <fieldset className="col-span-2 flex flex-col gap-2">
      <Checkbox
        label={hint ? `${texts.fieldName(name)}: ${hint}` : texts.fieldName(name)}
        checked={value !== undefined}
        onChange={(event) =>
          onChange(event.target.checked ? Object.fromEntries(names.map((one) => [one, startValue])) : undefined)
        }
      />
      {value !== undefined && (
        <ConfigForm schema={field} config={value as StepConfig} sample={undefined} onChange={onChange} />
      )}
    </fieldset>
  );
}

// Percent: a tenth of the image, a tenth away from its corner.
const startValue = 10;

interface ConfigInputProps {
  field: ConfigSchema;
  value: unknown;
  required: boolean;
  control: object;
  onChange: (value: unknown) => void;
}

function ConfigInput({ field, value, required, control, onChange }: ConfigInputProps) {
  const texts = useServerTexts();
  if (field.enum) {
    const choices = field.enum;
    return (
      <select
        className={inputClass}
        value={String(value)}
        onChange={(event) => onChange(choices.find((choice) => String(choice) === event.target.value))}
        {...control}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {texts.choice(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === 'boolean') {
    return (
      <input
        type="checkbox"
        className="size-5 accent-(--accent)"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
        {...control}
      />
    );
  }
  if (field.type === 'number' || field.type === 'integer') {
    return <NumberInput {...{ field, value, required, control, onChange }} />;
  }
  return (
    <input
      className={inputClass}
      type="text"
      required={required}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(event.target.value)}
      {...control}
    />
  );
}

/** Emptied, the field is left out, and its default holds. */
function NumberInput({ field, value, required, control, onChange }: ConfigInputProps) {
  const draft = useNumberDraft(typeof value === 'number' ? value : undefined, onChange);
  return (
    <input
      className={`${inputClass} tabular-nums`}
      type="number"
      step={field.type === 'integer' ? 1 : 'any'}
      min={field.minimum ?? field.exclusiveMinimum}
      max={field.maximum}
      required={required}
      {...control}
      {...draft}
      onChange={(event) => {
        draft.onChange(event);
        if (event.target.value === '') onChange(undefined);
      }}
    />
  );
}
