import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Hold, Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { holdsQuery, refreshAll, stationNamesQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote, Form, SelectField, TextField } from '../../components/field.tsx';
import { Card, DataTable, EmptyNote, Loaded } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { dateText, t } from '../../i18n/text.ts';

/** Items that neither retention nor a person may delete. */
export function HoldsCard() {
  const holds = useQuery(holdsQuery());
  const [adding, setAdding] = useState(false);
  const [released, setReleased] = useState<Hold>();
  return (
    <Card
      title={t('holdsTitle')}
      aside={<Button needs="engineer" label={t('newHold')} size="small" icon="plus" onClick={() => setAdding(true)} />}
    >
      <Loaded query={holds}>
        {(data) =>
          data.length === 0 ? (
            <EmptyNote title={t('noHolds')} />
          ) : (
            <DataTable
              caption={t('holdsTitle')}
              rows={data}
              rowKey={(hold) => hold.hold_id}
              columns={[
                {
                  title: t('holdReason'),
                  cell: (hold) => <span className="inline-block min-w-40">{hold.reason}</span>,
                },
                {
                  title: t('holdWhat'),
                  cell: (hold) => (
                    <span className="whitespace-nowrap">
                      <HeldItems hold={hold} />
                    </span>
                  ),
                },
                { title: t('itemsTitle'), numeric: true, cell: (hold) => hold.items.toLocaleString('en-US') },
                { title: t('holdSince'), wide: true, cell: (hold) => dateText(hold.created_at) },
                {
                  title: <span className="sr-only">{t('actions')}</span>,
                  cell: (hold) => (
                    <Button
                      needs="admin"
                      label={t('release')}
                      size="small"
                      look="quiet"
                      onClick={() => setReleased(hold)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {adding && <HoldDialog onClose={() => setAdding(false)} />}
      {released && <ReleaseDialog hold={released} onClose={() => setReleased(undefined)} />}
    </Card>
  );
}

function HeldItems({ hold: { filter } }: { hold: Hold }) {
  if (filter === null) return t('heldItems');
  const { station_id: _, ...listed } = filter;
  const text = Object.values(filter).join(', ');
  const query = new URLSearchParams({ type: 'prediction', ...listed } as Record<string, string>);
  return (
    <Link className="link" to={`/items?${query}`}>
      {text}
    </Link>
  );
}

function ReleaseDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const release = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/api/v1/retention/holds/{hold_id}', { params: { path: { hold_id: hold.hold_id } } })),
    onSuccess: () => {
      onClose();
      return refreshAll();
    },
  });
  return (
    <Dialog
      title={t('releaseTitle')}
      onClose={onClose}
      footer={
        <>
          <Button label={t('cancel')} onClick={onClose} />
          <Button label={t('release')} look="danger" disabled={release.isPending} onClick={() => release.mutate()} />
        </>
      }
    >
      <p className="mb-2 font-medium">{hold.reason}</p>
      <p>{t('releaseHint', { n: hold.items })}</p>
    </Dialog>
  );
}

/** Asks for a reason, and without chosen items for what is to be held. */
export function HoldDialog({ itemIds, onClose }: { itemIds?: readonly string[]; onClose: () => void }) {
  const stations = useQuery(stationNamesQuery()).data ?? [];
  const [reason, setReason] = useState('');
  const [filter, setFilter] = useState<Schemas['HoldFilter']>({});
  const set = (key: 'lot' | 'serial' | 'station_id', value: string) => {
    const { [key]: _, ...others } = filter;
    setFilter(value.trim() === '' ? others : { ...others, [key]: value.trim() });
  };
  const save = useMutation({
    mutationFn: () => {
      const what = itemIds ? { item_ids: [...itemIds] } : { filter };
      return dataOf(api.POST('/api/v1/retention/holds', { body: { reason, ...what } }));
    },
    onSuccess: ({ items }) => {
      showToast(t('held', { n: items }));
      onClose();
      return refreshAll();
    },
  });
  const isIncomplete = reason.trim() === '' || (itemIds === undefined && Object.keys(filter).length === 0);
  return (
    <Dialog title={itemIds ? t('holdItems', { n: itemIds.length }) : t('newHold')} onClose={onClose}>
      <Form onSubmit={() => save.mutate()} className="flex flex-col gap-4">
        <p className="text-ink-soft">{t('holdHint')}</p>
        <TextField
          label={t('holdReason')}
          required
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {itemIds === undefined && (
          <>
            <p className="text-[13px] text-ink-soft">{t('holdFilterHint')}</p>
            <TextField label={t('lot')} maxLength={200} onChange={(event) => set('lot', event.target.value)} />
            <TextField label={t('serial')} maxLength={200} onChange={(event) => set('serial', event.target.value)} />
            {stations.length > 0 && (
              <SelectField
                label={t('station')}
                options={[
                  ['', t('anyStation')],
                  ...stations.map(({ station_id, name }) => [station_id, name] as const),
                ]}
                value={filter.station_id ?? ''}
                onChange={(value) => set('station_id', value)}
              />
            )}
          </>
        )}
        {save.error && <ErrorNote>{save.error.message}</ErrorNote>}
        <Button label={t('hold')} type="submit" look="primary" disabled={isIncomplete || save.isPending} />
      </Form>
    </Dialog>
  );
}
