import { useMutation, useQuery } from '@tanstack/react-query';
import { saveLogs, saveResults } from '../../api/mutations.ts';
import { statusQuery } from '../../api/queries.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Page, PageHeader } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loading.tsx';
import { showError } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { LicenseCard } from './license-card.tsx';
import { QueueCard, ServerCard, StoredCard } from './status-cards.tsx';

export function OperationsScreen() {
  const t = useText();
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
          <LogsCard />
          <ApiCard />
        </div>
      </div>
    </Page>
  );
}

function LogsCard() {
  const t = useText();
  const logs = useMutation({
    mutationFn: () => saveLogs(),
    onError: showError,
  });
  return (
    <Card title={t('logsTitle')}>
      <p className="mb-3 text-ink-soft">{t('logsHint')}</p>
      <Button disabled={logs.isPending} onClick={() => logs.mutate()}>
        <Icon name="download" /> {t('downloadLogs')}
      </Button>
    </Card>
  );
}

/** Its links open beside the page: the page would forget the login if it were left. */
function ApiCard() {
  const t = useText();
  const results = useMutation({
    mutationFn: () => saveResults('kensa-results'),
    onError: showError,
  });
  return (
    <Card title={t('apiTitle')}>
      <p className="mb-3 text-ink-soft">{t('apiHint')}</p>
      <div className="flex flex-wrap gap-2">
        <a href="/docs" target="_blank" rel="noreferrer" className={buttonClass()}>
          {t('apiDocs')}
        </a>
        <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass()}>
          {t('openApi')}
        </a>
        <a href="/metrics" target="_blank" rel="noreferrer" className={buttonClass()}>
          {t('metrics')}
        </a>
        <Button disabled={results.isPending} onClick={() => results.mutate()}>
          <Icon name="download" /> {t('allResults')}
        </Button>
      </div>
    </Card>
  );
}
