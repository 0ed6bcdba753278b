import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Item } from '../../../../src/client/shapes.ts';
import type { ConfigSchema, StepInfo } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Checkbox, CompactSelect, Field } from '../../components/field.tsx';
import { leaveRow } from '../../components/leave-row.ts';
import { SchemaInput } from '../../components/schema-input.tsx';
import { fieldHint, fieldName, stepHelp, stepTitle } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';
import { inTheMiddle } from '../viewer/geometry.ts';
import {
  type DraftStep,
  moveStep,
  newStep,
  type Polygon,
  type StepConfig,
  toUnit,
  type Unit,
  unitOf,
} from './draft-steps.ts';
import type { StepEditor } from './target-editor.tsx';

export function StepList({ editor, catalogue }: { editor: StepEditor; catalogue: readonly StepInfo[] }) {
  const { steps, sample, problems } = editor;
  const add = (name: string) => {
    const info = catalogue.find((one) => one.name === name);
    if (!info) return;
    const step = newStep(info, sample?.item_id);
    editor.edit([...steps, step]);
    editor.open(step.key);
  };
  return (
    <div className="flex flex-col gap-3">
      {steps.length === 0 && <p className="text-ink-soft">{t('noSteps')}</p>}
      <ol className="flex flex-col gap-2">
        {steps.map((step, index) => (
          <StepCard
            key={step.key}
            editor={editor}
            step={step}
            index={index}
            info={catalogue.find((one) => one.name === step.name)}
            problems={problems.filter((problem) => problem.key.startsWith(`preprocessing.${index}.`))}
          />
        ))}
      </ol>
      <CompactSelect
        label={t('addStep')}
        value=""
        options={[['', `${t('addStep')} …`], ...catalogue.map(({ name }) => [name, stepTitle(name)] as const)]}
        onChange={add}
        className="w-full"
      />
    </div>
  );
}

interface StepCardProps {
  editor: StepEditor;
  step: DraftStep;
  index: number;
  info: StepInfo | undefined;
  problems: readonly FieldProblem[];
}

function StepCard({ editor, step, index, info, problems }: StepCardProps) {
  const { steps, sample } = editor;
  const open = step.key === editor.openKey;
  const title = stepTitle(step.name);
  const change = (changes: Partial<DraftStep>) =>
    editor.edit(steps.map((one) => (one === step ? { ...one, ...changes } : one)));
  const move = (to: number) => editor.edit(moveStep(steps, index, to));
  return (
    <li className={`rounded-lg border ${open ? 'border-accent' : 'border-line'}`}>
      <div className="flex items-center">
        <label className="flex size-11 shrink-0 items-center justify-center">
          <input
            type="checkbox"
            aria-label={t('stepActive', { name: title })}
            className="size-6 accent-(--accent)"
            checked={step.active}
            onChange={(event) => change({ active: event.target.checked })}
          />
        </label>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => editor.open(open ? undefined : step.key)}
          className={`min-h-11 min-w-0 flex-1 px-2 py-1 text-left leading-snug font-medium ${step.active ? '' : 'text-ink-soft line-through'}`}
        >
          {index + 1}. {title}
        </button>
        <IconButton
          icon="up"
          label={t('moveUp', { name: title })}
          disabled={index === 0}
          onClick={() => move(index - 1)}
        />
        <IconButton
          icon="down"
          label={t('moveDown', { name: title })}
          disabled={index === steps.length - 1}
          onClick={() => move(index + 1)}
        />
        <IconButton
          icon="close"
          label={t('removeStep', { name: title })}
          onClick={({ currentTarget }) => {
            leaveRow(currentTarget);
            editor.edit(steps.filter((one) => one !== step));
          }}
        />
      </div>
      {problems.length > 0 && (
        <p role="alert" className="px-3 pb-2 text-[13px] text-ng">
          {problems.flatMap((problem) => problem.errors).join(' ')}
        </p>
      )}
      {open && info && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <p className="text-[13px] text-ink-soft">{stepHelp(step.name, info.help)}</p>
          <ConfigForm
            schema={info.schema}
            config={step.config}
            sample={sample}
            onChange={(config) => change({ config })}
          />
        </div>
      )}
    </li>
  );
}

interface ConfigFormProps {
  schema: ConfigSchema;
  config: StepConfig;
  sample?: Item | undefined;
  onChange: (config: StepConfig) => void;
}

/** The fields of a step's schema. */
function ConfigForm({ schema, config, sample, onChange }: ConfigFormProps) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { [name]: value = field.default, ...others } = config;
    const set = (next: unknown) => onChange(next === undefined ? others : { ...others, [name]: next });
    if (name === 'polygons') {
      return (
        <PolygonList key={name} polygons={value as Polygon[]} unit={unitOf(config)} sample={sample} onChange={set} />
      );
    }
    if (field.type === 'object')
      return <ObjectField key={name} name={name} field={field} value={value} onChange={set} />;
    return (
      <Field
        key={name}
        label={fieldName(name)}
        hint={fieldHint(name, field)}
        className={field.type === 'number' || field.type === 'integer' ? '' : 'col-span-2'}
      >
        {(control) => (
          <span className="flex items-center gap-2">
            <SchemaInput
              schema={field}
              value={value}
              required={schema.required?.includes(name) ?? false}
              control={control}
              onChange={set}
            />
            {name === 'reference' && sample && (
              <Button label={t('useShownItem')} size="small" onClick={() => set(sample.item_id)} />
            )}
          </span>
        )}
      </Field>
    );
  });
  return <div className="grid grid-cols-2 gap-3">{fields}</div>;
}

interface ObjectFieldProps {
  name: string;
  field: ConfigSchema;
  value: unknown;
  onChange: (value: unknown) => void;
}

// In percent of the image.
const startValue = 10;

/** An optional group of numbers. */
function ObjectField({ name, field, value, onChange }: ObjectFieldProps) {
  const start = Object.fromEntries(Object.keys(field.properties ?? {}).map((one) => [one, startValue]));
  const hint = fieldHint(name, field);
  return (
    <fieldset className="col-span-2 flex flex-col gap-2">
      <Checkbox
        label={hint ? `${fieldName(name)}: ${hint}` : fieldName(name)}
        checked={value !== undefined}
        onChange={(event) => onChange(event.target.checked ? start : undefined)}
      />
      {value !== undefined && <ConfigForm schema={field} config={value as StepConfig} onChange={onChange} />}
    </fieldset>
  );
}

interface PolygonListProps {
  polygons: readonly Polygon[];
  unit: Unit;
  sample: Item | undefined;
  onChange: (polygons: readonly Polygon[]) => void;
}

function PolygonList({ polygons, unit, sample, onChange }: PolygonListProps) {
  const addRectangle = () => {
    const image = sample?.images[0] ?? { width: 100, height: 100 };
    const { x_min, y_min, x_max, y_max } = inTheMiddle(image);
    const corners = [
      { x: x_min, y: y_min },
      { x: x_max, y: y_min },
      { x: x_max, y: y_max },
      { x: x_min, y: y_max },
    ];
    onChange([...polygons, corners.map((corner) => toUnit(corner, unit, image))]);
  };
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
              icon="trash"
              label={t('removePolygon', { n: index + 1 })}
              onClick={({ currentTarget }) => {
                // The next one takes the place of the first.
                if (index > 0 || polygons.length === 1) leaveRow(currentTarget);
                onChange(polygons.filter((one) => one !== polygon));
              }}
            />
          </li>
        ))}
      </ul>
      {polygons.length === 0 && <p className="text-[13px] text-warn">{t('emptyMask')}</p>}
      <Button label={t('rectanglePolygon')} size="small" onClick={addRectangle} />
    </div>
  );
}
