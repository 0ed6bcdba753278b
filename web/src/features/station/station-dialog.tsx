import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Schemas, Station } from '../../../../src/client/shapes.ts';
import { api, ofStation } from '../../api/kensa.ts';
import { problemsOf, refreshAll, retentionRulesQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, ErrorNote, Field, Form, Select, SelectField, TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { useTargets } from '../../product.ts';
import { useModels } from '../model/use-models.ts';
import { FtpLogin } from './ftp-login.tsx';
import { NamePatternFields } from './name-pattern-fields.tsx';
import { OutputFields } from './output-fields.tsx';
import { SourceFields } from './source-fields.tsx';
import { outputTexts, type sourceTexts } from './station-texts.ts';

export type StationDraft = Required<Schemas['NewStation']>;

export interface FieldsProps {
  draft: StationDraft;
  /** What the server says of a field, by its key such as `source.path`. */
  problem: (key: string) => string | undefined;
  onChange: (changes: Partial<StationDraft>) => void;
}

const emptyDraft: Omit<StationDraft, 'target_id'> = {
  name: '',
  enabled: true,
  source: { kind: 'http' },
  name_pattern: null,
  outputs: [],
  retention_id: null,
  model_id: null,
};

/** Makes a station, or changes one. */
export function StationDialog({ station, onClose }: { station?: Station; onClose: () => void }) {
  const targets = useTargets().data;
  const first = targets?.[0]?.target_id;
  const target_id = station?.target_id ?? first;
  return (
    <Dialog title={station ? t('stationNamed', { name: station.name }) : t('newStation')} size="wide" onClose={onClose}>
      {target_id !== undefined && (
        <StationForm
          station={station}
          initial={station ? draftOf(station) : { ...emptyDraft, target_id }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function draftOf(station: Station): StationDraft {
  const { name, enabled, target_id, model_id, source, name_pattern, outputs, retention_id } = station;
  return { name, enabled, target_id, model_id, source, name_pattern, outputs, retention_id };
}

interface StationFormProps {
  station: Station | undefined;
  initial: StationDraft;
  onClose: () => void;
}

function StationForm({ station, initial, onClose }: StationFormProps) {
  const [draft, setDraft] = useState(initial);
  const navigate = useNavigate();
  const id = station?.station_id;
  // The form itself shows what is wrong.
  const onError = () => undefined;
  const test = useMutation({
    onError,
    mutationFn: () => {
      const { name, source, outputs, name_pattern } = draft;
      const settings = { ...(name.trim() === '' ? {} : { name }), source, outputs, name_pattern };
      return dataOf(
        api.POST('/api/v1/stations/test', { body: { ...settings, ...(id === undefined ? {} : { station_id: id }) } }),
      );
    },
  });
  const save = useMutation({
    onError,
    mutationFn: () => saveStation(id, draft, initial),
    onSuccess: async (saved) => {
      await refreshAll();
      if (saved.ftp_login) return;
      finish(saved.station_id);
    },
  });
  const finish = (savedId: string) => {
    onClose();
    showToast(t('stationSaved'));
    if (id === undefined) navigate(`/stations/${savedId}`);
  };
  // The note below the fields is of what was pressed last.
  const submit = () => {
    test.reset();
    save.mutate();
  };
  const tryOut = () => {
    save.reset();
    test.mutate();
  };
  const onChange = (changes: Partial<StationDraft>) => {
    setDraft({ ...draft, ...changes });
    if (test.isSuccess) test.reset();
  };
  if (save.data?.ftp_login) {
    const { station_id: savedId, ftp_login: login } = save.data;
    return (
      <div className="flex flex-col gap-4">
        <FtpLogin login={login} />
        <Button label={t('close')} look="primary" onClick={() => finish(savedId)} />
      </div>
    );
  }
  const error = save.error ?? test.error;
  const problem = (key: string): string | undefined =>
    problemsOf(error)
      .find((one) => one.key === key)
      ?.errors.join(' ');
  const fields: FieldsProps = { draft, problem, onChange };
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <GeneralFields {...fields} isNew={station === undefined} />
      <SourceFields {...fields} />
      <NamePatternFields {...fields} />
      <OutputFields {...fields} />
      {error && <ErrorNote>{problemsOf(error).length > 0 ? t('seeFields') : error.message}</ErrorNote>}
      {test.data && (
        <div role="status" className="rounded-md bg-ok-soft px-3 py-2 text-ok">
          <ul>
            {test.data.tested.map(({ key, kind }) => (
              <li key={key} className="flex items-center gap-2">
                <Icon name="check" /> {testedText(key, kind)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
        <Button label={t(test.isPending ? 'testing' : 'testConnection')} disabled={test.isPending} onClick={tryOut} />
        <Button
          label={t('save')}
          type="submit"
          look="primary"
          disabled={draft.name.trim() === '' || save.isPending || test.isPending}
        />
      </footer>
    </Form>
  );
}

function testedText(key: string, kind: string): string {
  if (key === 'source') return t(`tested.${kind as keyof typeof sourceTexts}`);
  return t('testedOutput', { output: t(outputTexts[kind as keyof typeof outputTexts]) });
}

/** What has not changed is not sent: a folder that is away now must not keep the name from being changed. */
async function saveStation(id: string | undefined, draft: StationDraft, initial: StationDraft) {
  if (id === undefined) return dataOf(api.POST('/api/v1/stations/', { body: draft }));
  const { model_id: _, ...settings } = draft;
  const changed = Object.entries(settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(initial[key as keyof StationDraft]),
  );
  const body: Schemas['StationChanges'] = Object.fromEntries(changed);
  return dataOf(api.PUT('/api/v1/stations/{station_id}', { ...ofStation(id), body }));
}

function GeneralFields({ draft, problem, onChange, isNew }: FieldsProps & { isNew: boolean }) {
  const { ready, labelOf } = useModels();
  const targets = useTargets().data ?? [];
  const rules = useQuery(retentionRulesQuery()).data ?? [];
  return (
    <>
      <TextField
        label={t('name')}
        required
        maxLength={200}
        error={problem('name')}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Checkbox
        label={t('stationEnabled')}
        checked={draft.enabled}
        onChange={(event) => onChange({ enabled: event.target.checked })}
      />
      <div className="grid gap-4 md:grid-cols-3">
        {isNew && (
          <Field label={t('model')} error={problem('model_id')}>
            {(control) => (
              <Select
                {...control}
                value={draft.model_id ?? ''}
                options={[['', t('noModel')], ...ready.map((model) => [model.model_id, labelOf(model)] as const)]}
                onChange={(value) => onChange({ model_id: value || null })}
              />
            )}
          </Field>
        )}
        <Field label={t('navTarget')} error={problem('target_id')}>
          {(control) => (
            <Select
              {...control}
              value={draft.target_id}
              options={targets.map((target) => [target.target_id, target.name] as const)}
              onChange={(value) => onChange({ target_id: Number(value) })}
            />
          )}
        </Field>
        <SelectField
          label={t('retentionTitle')}
          value={draft.retention_id ?? ''}
          options={[['', t('everywhereRule')], ...rules.map(({ retention_id, name }) => [retention_id, name] as const)]}
          onChange={(value) => onChange({ retention_id: value || null })}
        />
      </div>
    </>
  );
}
