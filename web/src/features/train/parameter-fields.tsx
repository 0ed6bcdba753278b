import { useState } from 'react';
import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Algorithm, AlgorithmParameter } from '../../../../src/client/shapes.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field, inputClass, Select } from '../../components/field.tsx';
import { useServerTexts } from '../../i18n/server-texts.ts';
import { useText } from '../../i18n/use-text.ts';

/** By id of the parameter. */
export type ParameterValues = Readonly<Record<number, string>>;

interface ParameterFieldsProps {
  algorithm: Algorithm;
  /** Only what differs from the defaults. */
  values: ParameterValues;
  problems: readonly FieldProblem[];
  onChange: (values: ParameterValues) => void;
}

export function ParameterFields({ algorithm, values, problems, onChange }: ParameterFieldsProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const set = (parameter: AlgorithmParameter, value: string) => {
    const { [parameter.algorithm_parameter_id]: _before, ...others } = values;
    onChange(value === parameter.value ? others : { ...others, [parameter.algorithm_parameter_id]: value });
  };
  const shown = open || problems.length > 0;
  return (
    <Card
      title={t('parameters')}
      aside={
        <Button size="small" aria-expanded={shown} onClick={() => setOpen(!shown)}>
          {t('showParameters')}
        </Button>
      }
    >
      <p className="text-[13px] text-ink-soft">{t('parametersHint')}</p>
      {shown && (
        <div className="mt-4 grid gap-x-6 gap-y-4 md:grid-cols-2">
          {algorithm.parameters.map((parameter) => (
            <ParameterField
              key={parameter.algorithm_parameter_id}
              parameter={parameter}
              value={values[parameter.algorithm_parameter_id]}
              problem={problems.find((problem) => problem.key === parameter.name)?.errors.join(' ')}
              onChange={(value) => set(parameter, value)}
            />
          ))}
        </div>
      )}
    </Card>
  );
}

interface ParameterFieldProps {
  parameter: AlgorithmParameter;
  value: string | undefined;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function ParameterField({ parameter, value, problem, onChange }: ParameterFieldProps) {
  const t = useText();
  const texts = useServerTexts();
  const { range_lower: low, range_upper: high, data_type: type } = parameter;
  const range = type !== 'enum' && low && high ? ` (${t('range', { low, high })})` : '';
  return (
    <Field
      label={
        <>
          {texts.parameterName(parameter.name, parameter.display_name ?? parameter.name)}{' '}
          {value !== undefined && <Badge tone="accent">{t('changed')}</Badge>}
        </>
      }
      hint={`${texts.parameterHelp(parameter.name, parameter.help ?? '')}${range}`}
      error={problem}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <ParameterInput
            parameter={parameter}
            value={value ?? parameter.value ?? ''}
            control={control}
            onChange={onChange}
          />
          {value !== undefined && (
            <Button size="small" look="quiet" onClick={() => onChange(parameter.value ?? '')}>
              {t('resetToDefault', { value: texts.choice(parameter.value ?? '') })}
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

interface ParameterInputProps {
  parameter: AlgorithmParameter;
  value: string;
  control: object;
  onChange: (value: string) => void;
}

function ParameterInput({ parameter, value, control, onChange }: ParameterInputProps) {
  const texts = useServerTexts();
  const { data_type: type, range_lower: low, range_upper: high } = parameter;
  const choices = type === 'bool' ? ['true', 'false'] : type === 'enum' ? (low ?? '').split('|') : undefined;
  if (choices) {
    const options = choices.map((choice) => [choice, texts.choice(choice)] as const);
    return <Select value={value} options={options} onChange={onChange} {...control} />;
  }
  const numeric = type === 'int' || type === 'float';
  return (
    <input
      className={`${inputClass} tabular-nums`}
      type={numeric ? 'number' : 'text'}
      step={type === 'int' ? 1 : 'any'}
      min={numeric ? (low ?? undefined) : undefined}
      max={numeric ? (high ?? undefined) : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...control}
    />
  );
}
