import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { RetentionRule, RetentionRun } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { refreshAll, retentionQuery, retentionRulesQuery, retentionRunsQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Card, DataTable, EmptyNote, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { type MessageKey, t, timeText } from '../../i18n/text.ts';
import { DiskCard } from './disk-card.tsx';
import { HoldsCard } from './holds-card.tsx';
import { RunDialog } from './removal-preview.tsx';
import { bytesText, verdictTexts } from './retention-texts.ts';
import { RuleDialog } from './rule-dialog.tsx';

/** What stays how long: the disk, the rules, what is held, and what was removed. */
export function RetentionScreen() {
  const state = useQuery(retentionQuery());
  const [running, setRunning] = useState(false);
  return (
    <Page>
      <PageHeader title={t('retentionTitle')}>
        <Button needs="admin" label={t('retentionPreview')} onClick={() => setRunning(true)} />
      </PageHeader>
      <Loaded query={state}>{(data) => <DiskCard state={data} />}</Loaded>
      <RulesCard />
      <HoldsCard />
      <RunsCard />
      {running && <RunDialog onClose={() => setRunning(false)} />}
    </Page>
  );
}

function RulesCard() {
  const rules = useQuery(retentionRulesQuery());
  const [edited, setEdited] = useState<RetentionRule | 'new'>();
  const [deleted, setDeleted] = useState<RetentionRule>();
  const remove = async ({ retention_id }: RetentionRule) => {
    await dataOf(api.DELETE('/api/v1/retention/rules/{retention_id}', { params: { path: { retention_id } } }));
    setDeleted(undefined);
    await refreshAll();
  };
  return (
    <Card
      title={t('rulesTitle')}
      aside={<Button needs="admin" label={t('newRule')} size="small" icon="plus" onClick={() => setEdited('new')} />}
    >
      <Loaded query={rules}>
        {(data) =>
          data.length === 0 ? (
            <EmptyNote title={t('noRules')} />
          ) : (
            <RuleTable rules={data} onEdit={setEdited} onDelete={setDeleted} />
          )
        }
      </Loaded>
      {edited && <RuleDialog rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <ConfirmDialog
          title={t('deleteTitle', { name: deleted.name })}
          action={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>{t('deleteRuleHint')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

interface RuleTableProps {
  rules: readonly RetentionRule[];
  onEdit: (rule: RetentionRule) => void;
  onDelete: (rule: RetentionRule) => void;
}

const daysText = (days: number | null): string => (days === null ? '–' : t('days', { n: days }));

function RuleTable({ rules, onEdit, onDelete }: RuleTableProps) {
  const appliesTo = ({ everywhere, station_ids: stations }: RetentionRule): string =>
    [everywhere ? t('everywhere') : '', stations.length > 0 ? t('stationCount', { n: stations.length }) : '']
      .filter((part) => part !== '')
      .join(', ') || t('noStation');
  return (
    <DataTable
      caption={t('rulesTitle')}
      rows={rules}
      rowKey={(rule) => rule.retention_id}
      columns={[
        { title: t('name'), cell: (rule) => <b className="inline-block min-w-24 font-medium">{rule.name}</b> },
        { title: t('appliesTo'), cell: (rule) => <span className="whitespace-nowrap">{appliesTo(rule)}</span> },
        { title: 'OK', numeric: true, cell: (rule) => daysText(rule.image_days.OK) },
        { title: 'NG', numeric: true, cell: (rule) => daysText(rule.image_days.NG) },
        { title: t('unjudged'), numeric: true, cell: (rule) => daysText(rule.image_days.unjudged) },
        { title: t('records'), numeric: true, cell: (rule) => daysText(rule.record_days) },
        {
          title: t('whenShort'),
          wide: true,
          cell: (rule) => rule.when_short.map((verdict) => t(verdictTexts[verdict])).join(' → ') || '–',
        },
        {
          title: <span className="sr-only">{t('actions')}</span>,
          cell: (rule) => (
            <span className="flex justify-end gap-1">
              <Button needs="admin" label={t('edit')} size="small" look="quiet" onClick={() => onEdit(rule)} />
              <Button needs="admin" label={t('remove')} size="small" look="quiet" onClick={() => onDelete(rule)} />
            </span>
          ),
        },
      ]}
    />
  );
}

const causes: Record<RetentionRun['cause'], MessageKey> = {
  daily: 'causeDaily',
  space: 'causeSpace',
  request: 'causeRequest',
};

const statuses: Record<RetentionRun['status'], MessageKey> = {
  waiting: 'waiting',
  running: 'runningNow',
  done: 'runDone',
  failed: 'runFailed',
};

const runsOnPage = 10;

function RunsCard() {
  const [page, setPage] = useState(1);
  const runs = useQuery(retentionRunsQuery(page, runsOnPage));
  const number = (value: number): string => value.toLocaleString('en-US');
  return (
    <Card title={t('runsTitle')}>
      <Loaded query={runs}>
        {({ runs: rows, total }) => (
          <>
            {rows.length === 0 && <EmptyNote title={t('noRuns')} />}
            {rows.length > 0 && (
              <DataTable
                caption={t('runsTitle')}
                rows={rows}
                rowKey={(run) => run.run_id}
                columns={[
                  {
                    title: t('runTime'),
                    cell: (run) => <span className="whitespace-nowrap">{timeText(run.started_at)}</span>,
                  },
                  {
                    title: t('runCause'),
                    cell: (run) => <span className="whitespace-nowrap">{t(causes[run.cause])}</span>,
                  },
                  { title: t('storedImages'), numeric: true, cell: (run) => number(run.images) },
                  { title: t('records'), numeric: true, cell: (run) => number(run.records) },
                  { title: t('removedSize'), numeric: true, cell: (run) => bytesText(run.bytes) },
                  {
                    title: t('freeAfter'),
                    numeric: true,
                    wide: true,
                    cell: (run) => (run.free_after === null ? '–' : bytesText(run.free_after)),
                  },
                  { title: t('runStatus'), cell: (run) => <RunStatus run={run} /> },
                ]}
              />
            )}
            {total > runsOnPage && (
              <div className="mt-3 flex justify-end gap-2">
                <Button label={t('newerRuns')} size="small" disabled={page === 1} onClick={() => setPage(page - 1)} />
                <Button
                  label={t('olderRuns')}
                  size="small"
                  disabled={page * runsOnPage >= total}
                  onClick={() => setPage(page + 1)}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function RunStatus({ run }: { run: RetentionRun }) {
  const isBad = run.status === 'failed' || run.status_text !== null;
  return (
    <>
      <Badge tone={isBad ? 'warn' : run.status === 'done' ? 'ok' : 'accent'}>{t(statuses[run.status])}</Badge>
      {run.status_text !== null && <p className="mt-1 max-w-md min-w-52 text-[13px] text-warn">{run.status_text}</p>}
    </>
  );
}
