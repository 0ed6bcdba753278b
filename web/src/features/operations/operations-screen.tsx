import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Schemas, ServerStatus } from '../../../../src/client/shapes.ts';
import { saveLogs, saveResults } from '../../api/downloads.ts';
import { api } from '../../api/kensa.ts';
import { nodeHashQuery, queryClient, statusQuery } from '../../api/queries.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { ActionButton, Button, buttonClass, LinkButton } from '../../components/button.tsx';
import { Field, Form, inputClass } from '../../components/field.tsx';
import { Card, DataTable, Facts, Figure, Loaded, Page, PageHeader } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { dateText, type MessageKey, t, timeText } from '../../i18n/text.ts';

export function OperationsScreen() {
  const status = useQuery(statusQuery());
  return (
    <Page>
      <PageHeader title={t('operationsTitle')} />
      <Loaded query={status}>
        {(data) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <QueueCard status={data} />
            <div className="flex flex-col gap-4">
              <StoredCard status={data} />
              <ServerCard status={data} />
            </div>
          </div>
        )}
      </Loaded>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <LicenseCard state={status.data?.license} />
        <div className="flex flex-col gap-4">
          {may('admin') && (
            <Card title={t('peopleTitle')}>
              <p className="mb-3 text-ink-soft">{t('peopleHint')}</p>
              <LinkButton to="/people" icon="person" label={t('peopleTitle')} />
            </Card>
          )}
          {may('engineer') && (
            <Card title={t('auditTitle')}>
              <p className="mb-3 text-ink-soft">{t('auditHint')}</p>
              <LinkButton to="/audit" label={t('auditTitle')} />
            </Card>
          )}
          <Card title={t('logsTitle')}>
            <p className="mb-3 text-ink-soft">{t('logsHint')}</p>
            <ActionButton icon="download" needs="engineer" label={t('downloadLogs')} action={saveLogs} />
          </Card>
          <Card title={t('apiTitle')}>
            <p className="mb-3 text-ink-soft">{t('apiHint')}</p>
            <div className="flex flex-wrap gap-2">
              {/* In a new tab: leaving the page would end the login. */}
              {apiLinks.map(([path, text]) => (
                <a key={path} href={path} target="_blank" rel="noreferrer" className={buttonClass()}>
                  {t(text)}
                </a>
              ))}
              <ActionButton icon="download" label={t('allResults')} action={() => saveResults('kensa-results')} />
            </div>
          </Card>
        </div>
      </div>
    </Page>
  );
}

const apiLinks: readonly [string, MessageKey][] = [
  ['/docs', 'apiDocs'],
  ['/openapi.json', 'openApi'],
  ['/metrics', 'metrics'],
];

const kinds: Record<string, MessageKey> = {
  train: 'jobTrain',
  refine: 'jobRefine',
  predict: 'inspection',
  deliver: 'tabCallback',
  sweep: 'jobSweep',
  retain: 'jobRetain',
};

function QueueCard({ status }: { status: ServerStatus }) {
  return (
    <Card title={t('queueTitle')}>
      <DataTable
        caption={t('queueTitle')}
        rows={status.queue}
        rowKey={({ kind }) => kind}
        columns={[
          { title: t('jobKind'), cell: ({ kind }) => (kinds[kind] ? t(kinds[kind]) : kind) },
          { title: t('waiting'), numeric: true, cell: ({ waiting }) => waiting },
          { title: t('runningNow'), numeric: true, cell: ({ running }) => running },
          {
            title: t('failedForGood'),
            numeric: true,
            cell: ({ failed }) => <span className={failed > 0 ? 'font-semibold text-ng' : ''}>{failed}</span>,
          },
        ]}
      />
    </Card>
  );
}

function StoredCard({ status }: { status: ServerStatus }) {
  const megabytes = `${(status.image_bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
  return (
    <Card title={t('storedTitle')} aside={<LinkButton to="/retention" size="small" label={t('retentionTitle')} />}>
      <dl className="grid grid-cols-3 gap-4">
        <Figure label={t('itemsTitle')}>{status.items.toLocaleString('en-US')}</Figure>
        <Figure label={t('storedImages')} note={megabytes}>
          {status.images.toLocaleString('en-US')}
        </Figure>
        <Figure label={t('modelsTitle')}>{status.models}</Figure>
      </dl>
    </Card>
  );
}

function ServerCard({ status }: { status: ServerStatus }) {
  const facts: [string, string | number][] = [
    [t('version'), status.version],
    [t('platform'), `Node ${status.node_version} · ${status.platform}`],
    [t('database'), status.database === 'postgres' ? 'PostgreSQL' : 'SQLite'],
    [t('workers'), status.workers],
    [t('memory'), `${status.memory_mb} MB`],
    [t('upSince'), timeText(status.started_at)],
  ];
  return (
    <Card title={t('serverTitle')}>
      <Facts facts={facts} className="grid-cols-[auto_1fr] gap-x-6 text-right [&_dt]:text-left" />
    </Card>
  );
}

export function LicenseCard({ state }: { state: Schemas['LicenseState'] | undefined }) {
  const [text, setText] = useState('');
  const install = useMutation({
    mutationFn: () => {
      const form = new FormData();
      form.append('license_data', text.trim());
      return dataOf(api.POST('/api/v1/utils/', { body: { license_data: '' }, bodySerializer: () => form }));
    },
    onSuccess: ({ license_expiry: expiry }) => {
      showToast(t('licenseInstalled', { date: dateText(expiry) }));
      setText('');
      return queryClient.invalidateQueries({ queryKey: ['status'] });
    },
  });
  return (
    <Card title={t('licenseTitle')}>
      <p className="mb-3 text-ink-soft">{t('licenseHint')}</p>
      {state && <LicenseStanding state={state} />}
      <NodeHash />
      {may('admin') && (
        <Form onSubmit={() => install.mutate()} className="mt-4 flex flex-col gap-3">
          <Field label={t('licenseText')}>
            {(control) => (
              <textarea
                rows={4}
                spellCheck={false}
                className={`${inputClass} py-2 font-mono text-[13px]`}
                value={text}
                onChange={(event) => setText(event.target.value)}
                {...control}
              />
            )}
          </Field>
          <Button
            label={t('installLicense')}
            type="submit"
            className="self-start"
            disabled={text.trim() === '' || install.isPending}
          />
        </Form>
      )}
    </Card>
  );
}

function LicenseStanding({ state }: { state: Schemas['LicenseState'] }) {
  const { required, customer, expiry, problem } = state;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-2" data-testid="license-state">
      {!required && <Badge>{t('licenseNotAsked')}</Badge>}
      {expiry !== null && <Badge tone="ok">{t('licenseValid', { date: dateText(expiry) })}</Badge>}
      {expiry !== null && customer}
      {problem !== null && <Badge tone="ng">{t('licenseMissing')}</Badge>}
      <span className="text-ng">{problem}</span>
    </p>
  );
}

function NodeHash() {
  const hash = useQuery(nodeHashQuery());
  const code = useRef<HTMLElement>(null);
  const copy = () => {
    if (code.current) getSelection()?.selectAllChildren(code.current);
    // Works without TLS too, where browsers have no `navigator.clipboard`.
    if (document.execCommand('copy')) showToast(t('copied'));
  };
  return (
    <Loaded query={hash}>
      {({ hash_id: value }) => (
        <p className="flex flex-wrap items-center gap-2 text-[13px]">
          <span className="font-medium">{t('nodeHash')}</span>
          <code ref={code} className="min-w-0 rounded bg-sunken px-2 py-1 break-all">
            {value}
          </code>
          <Button label={t('copy')} size="small" onClick={copy} />
        </p>
      )}
    </Loaded>
  );
}
