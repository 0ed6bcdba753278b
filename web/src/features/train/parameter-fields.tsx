import { useState } from 'react';
import type { FieldProblem } from '../../../../src/client/kensa-error.ts';
import type { Algorithm, AlgorithmParameter } from '../../../../src/client/shapes.ts';
import type { ConfigSchema } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Card } from '../../components/page.tsx';
import { SchemaInput } from '../../components/schema-input.tsx';
import { choiceText, parameterHelp, parameterName } from '../../i18n/server-texts.ts';
import { t } from '../../i18n/text.ts';

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
  const [open, setOpen] = useState(false);
  const shown = open || problems.length > 0;
  return (
    <Card
      title={t('parameters')}
      aside={<Button label={t('showParameters')} size="small" aria-expanded={shown} onClick={() => setOpen(!shown)} />}
    >
      <p className="text-[13px] text-ink-soft">{t('parametersHint')}</p>
      {shown && (
        <div className="mt-4 grid gap-x-6 gap-y-4 md:grid-cols-2">
          {algorithm.parameters.map((parameter) => {
            const { algorithm_parameter_id: id } = parameter;
            const { [id]: value, ...others } = values;
            return (
              <ParameterField
                key={id}
                parameter={parameter}
                value={value}
                problem={problems.find((problem) => problem.key === parameter.name)?.errors.join(' ')}
                onChange={(next) => onChange(next === parameter.value ? others : { ...others, [id]: next })}
              />
            );
          })}
        </div>
      )}
    </Card>
  );
}

/** With all its digits: 0.0001 is not 0. */
const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });

interface ParameterFieldProps {
  parameter: AlgorithmParameter;
  value: string | undefined;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function ParameterField({ parameter, value, problem, onChange }: ParameterFieldProps) {
  const { name, display_name } = parameter;
  const usual = parameter.value ?? '';
  const schema = schemaOf(parameter);
  const { minimum: low, maximum: high } = schema;
  const range =
    low === undefined || high === undefined ? '' : ` (${t('range', { low: figure(low), high: figure(high) })})`;
  return (
    <Field
      label={
        <>
          {parameterName(name, display_name ?? name)}{' '}
          {value !== undefined && <Badge tone="accent">{t('changed')}</Badge>}
        </>
      }
      hint={parameterHelp(parameter) + range}
      error={problem}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <SchemaInput
            schema={schema}
            value={value ?? usual}
            control={control}
            onChange={(next) => onChange(next === undefined ? usual : String(next))}
          />
          {value !== undefined && (
            <Button
              label={t('revert', { value: choiceText(usual) })}
              size="small"
              look="quiet"
              onClick={() => onChange(usual)}
            />
          )}
        </span>
      )}
    </Field>
  );
}

function schemaOf({ data_type: type, range_lower: low, range_upper: high }: AlgorithmParameter): ConfigSchema {
  if (type === 'enum') return { enum: (low ?? '').split('|') };
  if (type === 'bool') return { type: 'boolean' };
  if (type === 'string') return { type };
  return {
    type: type === 'int' ? 'integer' : 'number',
    ...(low ? { minimum: Number(low) } : {}),
    ...(high ? { maximum: Number(high) } : {}),
  };
}
