import type { ServerStatus } from '../../../../src/client/shapes.ts';
import { Card, Figure } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useLanguage } from '../../i18n/language.ts';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

const kinds: Record<string, MessageKey> = {
  train: 'jobTrain',
  predict: 'jobPredict',
  deliver: 'jobDeliver',
  sweep: 'jobSweep',
};

export function QueueCard({ status }: { status: ServerStatus }) {
  const t = useText();
  return (
    <Card title={t('queueTitle')}>
      <DataTable
        caption={t('queueTitle')}
        rows={status.queue}
        rowKey={({ kind }) => kind}
        columns={[
          {
            title: t('jobKind'),
            cell: ({ kind }) => {
              const text = kinds[kind];
              return text ? t(text) : kind;
            },
          },
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

export function StoredCard({ status }: { status: ServerStatus }) {
  const t = useText();
  const megabytes = `${(status.image_bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
  return (
    <Card title={t('storedTitle')}>
      <dl className="grid grid-cols-3 gap-4">
        <Figure label={t('storedItems')} value={status.items.toLocaleString('en-US')} />
        <Figure label={t('storedImages')} value={status.images.toLocaleString('en-US')} note={megabytes} />
        <Figure label={t('storedModels')} value={status.models} />
      </dl>
    </Card>
  );
}

export function ServerCard({ status }: { status: ServerStatus }) {
  const t = useText();
  const language = useLanguage();
  const facts: [string, string | number][] = [
    [t('version'), status.version],
    [t('platform'), `Node ${status.node_version} · ${status.platform}`],
    [t('database'), status.database === 'postgres' ? 'PostgreSQL' : 'SQLite'],
    [t('workers'), status.workers],
    [t('memory'), `${status.memory_mb} MB`],
    [t('upSince'), new Date(status.started_at).toLocaleString(language)],
  ];
  return (
    <Card title={t('serverTitle')}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {facts.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="text-right">{fact}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
