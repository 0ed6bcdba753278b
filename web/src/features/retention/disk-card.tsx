import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { RetentionState } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { problemsOf, refreshAll } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field, Form, inputClass, NumberField, NumberInput, Select, TextField } from '../../components/field.tsx';
import { Card, Figure, ProgressBar } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { t, timeText } from '../../i18n/text.ts';
import { bytesText } from './retention-texts.ts';

/** How full the disk is, how long it lasts, and what must stay free. */
export function DiskCard({ state }: { state: RetentionState }) {
  const { disk, next_daily_at: next } = state;
  return (
    <Card title={t('diskTitle')}>
      {disk === null ? (
        <p className="mb-4 text-ink-soft">{t('diskUnknown')}</p>
      ) : (
        <>
          <ProgressBar value={1 - disk.free_bytes / disk.total_bytes} label={t('diskUsed')} />
          <dl className="my-4 grid grid-cols-2 gap-4 md:grid-cols-4">
            <Figure label={t('diskFree')} note={t('ofTotal', { total: bytesText(disk.total_bytes) })}>
              {bytesText(disk.free_bytes)}
            </Figure>
            <Figure label={t('diskFloor')}>{disk.floor_bytes === null ? '–' : bytesText(disk.floor_bytes)}</Figure>
            <Figure label={t('diskLasts')} note={t('atTodaysRate')}>
              {lastsText(disk.days_until_full)}
            </Figure>
            <Figure label={t('lastDay')} note={t('removedByAge', { bytes: bytesText(disk.removed_bytes_per_day) })}>
              +{bytesText(disk.added_bytes_per_day)}
            </Figure>
          </dl>
        </>
      )}
      {next !== null && <p className="mb-4 text-[13px] text-ink-soft">{t('nextRun', { time: timeText(next) })}</p>}
      {may('admin') && <SettingsForm key={JSON.stringify(state.settings)} settings={state.settings} />}
    </Card>
  );
}

const manyDays = 3650;

function lastsText(days: number | null): string {
  if (days === null) return t('diskLastsOn');
  return days > manyDays ? t('tenYears') : t('days', { n: Math.floor(days) });
}

const gigabyte = 1e9;
const toBytes = (gigabytes: number | undefined): number | null =>
  gigabytes === undefined ? null : Math.round(gigabytes * gigabyte);
const toGigabytes = (bytes: number | null): number | undefined => (bytes === null ? undefined : bytes / gigabyte);

function SettingsForm({ settings }: { settings: RetentionState['settings'] }) {
  const isInBytes = settings.min_free_bytes !== null;
  const [unit, setUnit] = useState(isInBytes ? 'GB' : '%');
  const [floor, setFloor] = useState(
    isInBytes ? toGigabytes(settings.min_free_bytes) : (settings.min_free_percent ?? undefined),
  );
  const [capacity, setCapacity] = useState(toGigabytes(settings.capacity_bytes));
  const [dailyAt, setDailyAt] = useState(settings.daily_at);
  const save = useMutation({
    mutationFn: () => {
      const body = {
        min_free_bytes: unit === 'GB' ? toBytes(floor) : null,
        min_free_percent: unit === '%' ? (floor ?? null) : null,
        capacity_bytes: toBytes(capacity),
        daily_at: dailyAt,
      };
      return dataOf(api.PUT('/api/v1/retention/', { body }));
    },
    onSuccess: () => {
      showToast(t('retentionSaved'));
      return refreshAll();
    },
  });
  const problem = (...keys: string[]): string | undefined =>
    problemsOf(save.error)
      .find(({ key }) => keys.includes(key))
      ?.errors.join(' ');
  return (
    <Form onSubmit={() => save.mutate()} className="grid items-start gap-4 border-t border-line pt-4 md:grid-cols-4">
      <Field label={t('minFree')} hint={t('minFreeHint')} error={problem('min_free_bytes', 'min_free_percent')}>
        {(control) => (
          <span className="flex gap-2">
            <NumberInput min={0} step="any" value={floor} onNumber={setFloor} {...control} />
            <Select
              aria-label={t('minFreeUnit')}
              className={`${inputClass} max-w-20`}
              value={unit}
              options={[
                ['%', '%'],
                ['GB', 'GB'],
              ]}
              onChange={setUnit}
            />
          </span>
        )}
      </Field>
      <NumberField
        label={t('capacity')}
        hint={t('capacityHint')}
        error={problem('capacity_bytes')}
        min={0}
        step="any"
        value={capacity}
        onNumber={setCapacity}
      />
      <TextField
        label={t('dailyAt')}
        hint={t('dailyAtHint')}
        error={problem('daily_at')}
        type="time"
        required
        value={dailyAt}
        onChange={(event) => setDailyAt(event.target.value.slice(0, 5))}
      />
      <Button label={t('save')} type="submit" className="self-start md:mt-6" disabled={save.isPending} />
    </Form>
  );
}
