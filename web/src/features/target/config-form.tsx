import type { Item } from '../../../../src/client/shapes.ts';
import type { ConfigSchema } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Checkbox, Field, inputClass, Select, useNumberDraft } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import type { Size } from '../viewer/geometry.ts';
import { fieldValue, type StepConfig } from './draft-steps.ts';
import { type Polygon, toUnit, type Unit } from './polygons.ts';

interface ConfigFormProps {
  schema: ConfigSchema;
  config: StepConfig;
  sample: Item | undefined;
  onChange: (config: StepConfig) => void;
}

/** The fields of a step's schema. */
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
      return (
        <PolygonList key={name} polygons={polygons} unit={unit} image={image} onChange={(next) => set(name, next)} />
      );
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
  const texts = useServerTexts();
  return (
    <Field
      label={texts.fieldName(name)}
      hint={texts.fieldHint(name, field.description)}
      className={isShort(field) ? '' : 'col-span-2'}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <ConfigInput field={field} value={value} required={required} control={control} onChange={onChange} />
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

/** An optional group of numbers. */
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

// In percent of the image.
const startValue = 10;

interface ConfigInputProps {
  field: ConfigSchema;
  value: unknown;
  required: boolean;
  control: object;
  onChange: (value: unknown) => void;
}

function ConfigInput(props: ConfigInputProps) {
  const { field, value, required, control, onChange } = props;
  const texts = useServerTexts();
  if (field.enum) {
    const choices = field.enum;
    return (
      <Select
        value={String(value)}
        options={choices.map((choice) => [choice, texts.choice(choice)])}
        onChange={(chosen) => onChange(choices.find((choice) => String(choice) === chosen))}
        {...control}
      />
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
    return <NumberInput {...props} />;
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

/** An empty field is removed from the config, and its default applies. */
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

interface PolygonListProps {
  unit: Unit;
  /** Size of the image that the polygons lie on. */
  image: Size;
  polygons: readonly Polygon[];
  onChange: (polygons: readonly Polygon[]) => void;
}

const corners: Polygon = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
];

/** A fifth of the image, in its middle. */
function inTheMiddle(unit: Unit, image: Size): Polygon {
  return corners.map(([x, y]) => toUnit({ x: (x * image.width) / 100, y: (y * image.height) / 100 }, unit, image));
}

function PolygonList({ polygons, unit, image, onChange }: PolygonListProps) {
  return (
    <div className="col-span-2 flex flex-col gap-1">
      <ul>
        {polygons.map((polygon, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: polygons have no other name than their place
          <li key={index} className="flex items-center justify-between text-[13px]">
            <span>
              {t('polygon', { n: index + 1 })} · {t('corners', { n: polygon.length })}
            </span>
            <IconButton
              label={t('removePolygon', { n: index + 1 })}
              // A mask needs a polygon.
              disabled={polygons.length === 1}
              onClick={() => onChange(polygons.filter((one) => one !== polygon))}
            >
              <Icon name="trash" size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => onChange([...polygons, inTheMiddle(unit, image)])}>
        {t('rectanglePolygon')}
      </Button>
    </div>
  );
}
