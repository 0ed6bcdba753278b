import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { CallbackDelivery, CallbackOverview, Model } from '../../../../src/client/shapes.ts';
import { saveCallback, testCallback } from '../../api/mutations.ts';
import { callbacksQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Form, SelectField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useLanguage } from '../../i18n/language.ts';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';

export function CallbackTab({ model }: { model: Model }) {
  const t = useText();
  const overview = useQuery(callbacksQuery(model.model_id));
  return (
    <Loaded query={overview}>
      {(data) => (
        <div className="flex flex-col gap-4">
          <Card title={t('callbackTitle')}>
            <CallbackForm model={model} overview={data} />
          </Card>
          <Deliveries overview={data} />
        </div>
      )}
    </Loaded>
  );
}

function CallbackForm({ model, overview }: { model: Model; overview: CallbackOverview }) {
  const t = useText();
  const [url, setUrl] = useState(overview.callback_url);
  const [method, setMethod] = useState<'post' | 'get'>(overview.callback_method === 'get' ? 'get' : 'post');
  const save = useMutation({
    mutationFn: () => saveCallback(model.model_id, { callback_url: url.trim(), callback_method: method }),
    onSuccess: () => {
      showToast(t('callbackSaved'));
      return queryClient.invalidateQueries({ queryKey: ['callbacks'] });
    },
    onError: (error) => (error instanceof KensaError && error.problems.length > 0 ? undefined : showError(error)),
  });
  const problem = save.error instanceof KensaError ? save.error.problems[0]?.errors.join(' ') : undefined;
  return (
    <Form onSubmit={() => save.mutate()} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <TextField
          label={t('callbackUrl')}
          hint={t('callbackUrlHint')}
          type="url"
          placeholder="https://"
          value={url}
          error={problem}
          onChange={(event) => setUrl(event.target.value)}
        />
        <SelectField
          label={t('callbackMethod')}
          value={method}
          options={[
            ['post', 'POST'],
            ['get', 'GET'],
          ]}
          onChange={(value) => setMethod(value === 'get' ? 'get' : 'post')}
        />
      </div>
      <Secret secret={overview.secret} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" disabled={save.isPending}>
          {t('save')}
        </Button>
        {overview.callback_url !== '' && <TestButton model={model} />}
      </div>
    </Form>
  );
}

function Secret({ secret }: { secret: string }) {
  const t = useText();
  const [shown, setShown] = useState(false);
  return (
    <p className="flex flex-wrap items-center gap-2 text-[13px]">
      <span className="font-medium">{t('callbackSecret')}</span>
      {shown ? (
        <code className="rounded bg-sunken px-2 py-1 break-all">{secret}</code>
      ) : (
        <Button size="small" onClick={() => setShown(true)}>
          {t('showSecret')}
        </Button>
      )}
      <span className="text-ink-soft">{t('callbackSecretHint')}</span>
    </p>
  );
}

function TestButton({ model }: { model: Model }) {
  const t = useText();
  const test = useMutation({ mutationFn: () => testCallback(model.model_id) });
  const { data } = test;
  return (
    <>
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        {t('callbackTest')}
      </Button>
      {data && (
        <span role="status" className={data.delivered ? 'text-ok' : 'text-ng'}>
          {data.delivered
            ? t('callbackTestOk', { status: String(data.status), ms: data.duration_ms })
            : t('callbackTestFailed', { reason: data.error ?? String(data.status ?? '') })}
        </span>
      )}
    </>
  );
}

const statuses: Record<CallbackDelivery['status'], [MessageKey, Tone]> = {
  pending: ['deliveryPending', 'warn'],
  delivered: ['deliveryDelivered', 'ok'],
  dead: ['deliveryDead', 'ng'],
};

function Deliveries({ overview }: { overview: CallbackOverview }) {
  const t = useText();
  const language = useLanguage();
  const { deliveries, delivered, pending, dead } = overview;
  return (
    <Card
      title={t('deliveries')}
      aside={<span className="text-[13px] text-ink-soft">{t('deliveryCounts', { delivered, pending, dead })}</span>}
    >
      {deliveries.length === 0 ? (
        <p className="text-ink-soft">{t('noDeliveries')}</p>
      ) : (
        <DataTable
          caption={t('deliveries')}
          rows={deliveries}
          rowKey={(delivery) => delivery.delivery_id}
          columns={[
            {
              title: t('deliveryStatus'),
              cell: ({ status }) => <Badge tone={statuses[status][1]}>{t(statuses[status][0])}</Badge>,
            },
            {
              title: t('item'),
              cell: ({ item_id }) => (
                <Link to={`/items/${item_id}?type=prediction`} className="text-accent hover:underline">
                  {item_id.slice(-12)}
                </Link>
              ),
            },
            { title: t('attempts'), numeric: true, cell: ({ attempts }) => attempts },
            { title: t('answer'), cell: ({ last_status, last_error }) => last_error ?? last_status ?? '–' },
            {
              title: t('lastTry'),
              cell: ({ last_tried_at }) => (last_tried_at ? new Date(last_tried_at).toLocaleString(language) : '–'),
            },
          ]}
        />
      )}
    </Card>
  );
}
