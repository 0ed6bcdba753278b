import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import { api } from '../../api/kensa.ts';
import { problemsOf } from '../../api/queries.ts';
import { TextField } from '../../components/field.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { t } from '../../i18n/text.ts';
import type { FieldsProps } from './station-dialog.tsx';

const example = '(?<lot>[^/]+)/(?<serial>\\d+)_';

/** The pattern for names of files, and what the service reads with it from a name that the person types. */
export function NamePatternFields({ draft: { name_pattern: pattern }, problem, onChange }: FieldsProps) {
  const [fileName, setFileName] = useState('');
  const asked = useSettled(JSON.stringify([pattern ?? '', fileName]), 300);
  const { data, error } = useQuery({
    queryKey: ['name-pattern', asked],
    queryFn: ({ signal }) => {
      const [name_pattern, file_name] = JSON.parse(asked) as [string, string];
      return dataOf(api.POST('/api/v1/stations/test', { body: { name_pattern, file_name }, signal }));
    },
    enabled: pattern !== null && fileName !== '',
    retry: false,
  });
  const [invalid] = problemsOf(error).flatMap(({ errors }) => errors);
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4 md:grid-cols-2">
      <TextField
        label={t('namePattern')}
        hint={t('namePatternHint', { example })}
        error={problem('name_pattern') ?? (fileName === '' ? undefined : invalid)}
        maxLength={500}
        value={pattern ?? ''}
        onChange={(event) => onChange({ name_pattern: event.target.value || null })}
      />
      <div className="flex flex-col gap-2">
        <TextField
          label={t('exampleName')}
          placeholder="L7/0042_top.jpg"
          maxLength={500}
          value={fileName}
          onChange={(event) => setFileName(event.target.value)}
        />
        {data?.read && fileName !== '' && <ReadNameText read={data.read} />}
      </div>
    </fieldset>
  );
}

interface ReadNameTextProps {
  read: { serial: string | null; lot: string | null; fields: Readonly<Record<string, string>> };
}

function ReadNameText({ read: { serial, lot, fields } }: ReadNameTextProps) {
  const found = [
    ...(serial === null ? [] : [[t('serial'), serial]]),
    ...(lot === null ? [] : [[t('lot'), lot]]),
    ...Object.entries(fields),
  ];
  return (
    <p role="status" className={`text-[13px] ${found.length > 0 ? 'text-ok' : 'text-warn'}`}>
      {found.length > 0 ? found.map(([key, value]) => `${key}: ${value}`).join(' · ') : t('nothingRead')}
    </p>
  );
}
