import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { RetentionPreview, RetentionRule, Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { problemsOf, refreshAll, stationNamesQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, ErrorNote, Form, NumberField, TextField } from '../../components/field.tsx';
import { t } from '../../i18n/text.ts';
import { RemovalPreview } from './removal-preview.tsx';
import { type RetainedVerdict, verdictTexts } from './retention-texts.ts';

const verdicts: readonly RetainedVerdict[] = ['OK', 'NG', 'unjudged'];

type Draft = Schemas['NewRetentionRule'];

const emptyDraft: Draft = {
  name: '',
  everywhere: false,
  image_days: { OK: 30, NG: 365, unjudged: 90 },
  record_days: null,
  keep_thumbnails: true,
  when_short: [],
};

/** Makes a rule, or changes one. The preview shows what the rule would remove before it is saved. */
export function RuleDialog({ rule, onClose }: { rule: RetentionRule | undefined; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(rule ? draftOf(rule) : emptyDraft);
  const [stationIds, setStationIds] = useState<readonly string[]>(rule?.station_ids ?? []);
  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    preview.reset();
  };
  const id = rule?.retention_id;
  const preview = useMutation({
    mutationFn: () => {
      const body = { rule: draft, ...(id === undefined ? {} : { retention_id: id }) };
      return dataOf(api.POST('/api/v1/retention/preview', { body })) as Promise<RetentionPreview>;
    },
  });
  const save = useMutation({
    mutationFn: async () => {
      const saved = await saveRule(id, draft);
      await assignStations(saved, stationIds);
    },
    onSuccess: () => {
      onClose();
      return refreshAll();
    },
  });
  const error = save.error ?? preview.error;
  const problem = (key: string): string | undefined =>
    problemsOf(error)
      .find((one) => one.key === key)
      ?.errors.join(' ');
  const isIncomplete = draft.name.trim() === '';
  return (
    <Dialog
      title={rule?.name ?? t('newRule')}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button
            label={t('retentionPreview')}
            disabled={isIncomplete || preview.isPending}
            onClick={() => preview.mutate()}
          />
          <Button
            label={t('save')}
            look="primary"
            disabled={isIncomplete || save.isPending}
            onClick={() => save.mutate()}
          />
        </>
      }
    >
      <Form onSubmit={() => save.mutate()} className="flex flex-col gap-4">
        <TextField
          label={t('name')}
          required
          maxLength={200}
          error={problem('name')}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <DayFields draft={draft} problem={problem} onChange={change} />
        <Checkbox
          label={t('keepThumbnails')}
          checked={draft.keep_thumbnails === true}
          onChange={(event) => change({ keep_thumbnails: event.target.checked })}
        />
        <ShortOrder order={draft.when_short ?? []} onChange={(order) => change({ when_short: order })} />
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-[13px] font-medium">{t('appliesTo')}</legend>
          <Checkbox
            label={t('everywhereHint')}
            checked={draft.everywhere === true}
            onChange={(event) => change({ everywhere: event.target.checked })}
          />
          {problem('everywhere') && <ErrorNote>{problem('everywhere')}</ErrorNote>}
          <StationChoice chosen={stationIds} onChange={setStationIds} />
        </fieldset>
      </Form>
      {error && problemsOf(error).length === 0 && <ErrorNote>{error.message}</ErrorNote>}
      {preview.data && (
        <section className="mt-5 border-t border-line pt-4">
          <RemovalPreview preview={preview.data} />
        </section>
      )}
    </Dialog>
  );
}

function draftOf({ name, everywhere, image_days, record_days, keep_thumbnails, when_short }: RetentionRule): Draft {
  return { name, everywhere, image_days, record_days, keep_thumbnails, when_short };
}

async function saveRule(id: string | undefined, body: Draft): Promise<RetentionRule> {
  if (id === undefined) return dataOf(api.POST('/api/v1/retention/rules', { body }));
  const params = { path: { retention_id: id } };
  return dataOf(api.PUT('/api/v1/retention/rules/{retention_id}', { params, body }));
}

async function assignStations(rule: RetentionRule, chosen: readonly string[]): Promise<void> {
  const { retention_id: id, station_ids: before } = rule;
  const name = (station_id: string, retention_id: string | null) =>
    dataOf(api.PUT('/api/v1/stations/{station_id}', { params: { path: { station_id } }, body: { retention_id } }));
  for (const station of chosen.filter((one) => !before.includes(one))) await name(station, id);
  for (const station of before.filter((one) => !chosen.includes(one))) await name(station, null);
}

interface DayFieldsProps {
  draft: Draft;
  problem: (key: string) => string | undefined;
  onChange: (changes: Partial<Draft>) => void;
}

function DayFields({ draft, problem, onChange }: DayFieldsProps) {
  const days = draft.image_days ?? { OK: null, NG: null, unjudged: null };
  return (
    <fieldset>
      <legend className="mb-2 text-[13px] text-ink-soft">{t('daysHint')}</legend>
      <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
        {verdicts.map((verdict) => (
          <NumberField
            key={verdict}
            label={t('imagesOf', { verdict: t(verdictTexts[verdict]) })}
            error={problem(`image_days.${verdict}`)}
            min={1}
            step={1}
            value={days[verdict] ?? undefined}
            onNumber={(value) => onChange({ image_days: { ...days, [verdict]: value ?? null } })}
          />
        ))}
        <NumberField
          label={t('records')}
          error={problem('record_days')}
          min={1}
          step={1}
          value={draft.record_days ?? undefined}
          onNumber={(value) => onChange({ record_days: value ?? null })}
        />
      </div>
    </fieldset>
  );
}

/** The verdicts whose images may go before their time, in an order. */
function ShortOrder({
  order,
  onChange,
}: {
  order: readonly RetainedVerdict[];
  onChange: (order: RetainedVerdict[]) => void;
}) {
  const others = verdicts.filter((verdict) => !order.includes(verdict));
  return (
    <fieldset>
      <legend className="mb-1 text-[13px] font-medium">{t('whenShort')}</legend>
      <p className="mb-2 text-[13px] text-ink-soft">{t('whenShortHint')}</p>
      <div className="flex flex-wrap items-center gap-2">
        {order.map((verdict, index) => (
          <span key={verdict} className="inline-flex items-center rounded-md border border-line pl-3">
            {index + 1}. {t(verdictTexts[verdict])}
            <IconButton
              icon="close"
              label={t('takeOut', { name: t(verdictTexts[verdict]) })}
              className="size-8"
              onClick={() => onChange(order.filter((one) => one !== verdict))}
            />
          </span>
        ))}
        {others.map((verdict) => (
          <Button
            key={verdict}
            label={t(verdictTexts[verdict])}
            size="small"
            icon="plus"
            onClick={() => onChange([...order, verdict])}
          />
        ))}
      </div>
    </fieldset>
  );
}

function StationChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const stations = useQuery(stationNamesQuery()).data ?? [];
  return stations.map(({ station_id: id, name }) => (
    <Checkbox
      key={id}
      label={t('stationNamed', { name })}
      checked={chosen.includes(id)}
      onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
    />
  ));
}
