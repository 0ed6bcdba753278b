import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { CallbackDelivery, CallbackOverview, Model } from '../../../../src/client/shapes.ts';
import { api, ofModel } from '../../api/kensa.ts';
import { callbacksQuery, problemsOf, queryClient } from '../../api/queries.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Form, SelectField, TextField } from '../../components/field.tsx';
import { itemPath } from '../../components/item-tile.tsx';
import { Card, DataTable, Loaded } from '../../components/page.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { type MessageKey, t, timeText } from '../../i18n/text.ts';

export function CallbackTab({ model }: { model: Model }) {
  const overview = useQuery(callbacksQuery(model.model_id));
  return (
    <Loaded query={overview}>
      {(data) => (
        <div className="flex flex-col gap-4">
          <Card title={t('callbackTitle')}>
            <CallbackForm modelId={model.model_id} overview={data} />
          </Card>
          <Deliveries overview={data} />
        </div>
      )}
    </Loaded>
  );
}

function CallbackForm({ modelId, overview }: { modelId: string; overview: CallbackOverview }) {
  const [url, setUrl] = useState(overview.callback_url);
  const [method, setMethod] = useState(overview.callback_method);
  const save = useMutation({
    mutationFn: () =>
      api.POST('/api/v1/models/{model_id}/update_predict_callback', {
        ...ofModel(modelId),
        body: { callback_url: url.trim(), callback_method: method === 'get' ? 'get' : 'post' },
      }),
    onSuccess: () => {
      showToast(t('callbackSaved'));
      return queryClient.invalidateQueries({ queryKey: ['callbacks'] });
    },
    // The field shows its own error.
    onError: (error) => (problemsOf(error).length > 0 ? undefined : showError(error)),
  });
  return (
    <Form onSubmit={save.mutate} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <TextField
          label={t('callbackUrl')}
          hint={t('callbackUrlHint')}
          type="url"
          placeholder="https://"
          value={url}
          error={problemsOf(save.error)[0]?.errors.join(' ')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <SelectField
          label={t('callbackMethod')}
          value={method}
          options={[
            ['post', 'POST'],
            ['get', 'GET'],
          ]}
          onChange={setMethod}
        />
      </div>
      <Secret secret={overview.secret} />
      <div className="flex flex-wrap items-center gap-2">
        <Button needs="engineer" label={t('save')} type="submit" look="primary" disabled={save.isPending} />
        {overview.callback_url !== '' && <TestButton modelId={modelId} />}
      </div>
    </Form>
  );
}

function Secret({ secret }: { secret: string }) {
  const [shown, setShown] = useState(false);
  return (
    <p className="flex flex-wrap items-center gap-2 text-[13px]">
      <span className="font-medium">{t('callbackSecret')}</span>
      {shown ? (
        <code className="rounded bg-sunken px-2 py-1 break-all">{secret}</code>
      ) : (
        <Button label={t('showSecret')} size="small" onClick={() => setShown(true)} />
      )}
      <span className="text-ink-soft">{t('callbackSecretHint')}</span>
    </p>
  );
}

function TestButton({ modelId }: { modelId: string }) {
  const { data, isPending, mutate } = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/models/{model_id}/callbacks/test', ofModel(modelId))),
  });
  return (
    <>
      <Button label={t('callbackTest')} disabled={isPending} onClick={() => mutate()} />
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
  pending: ['statusQueued', 'warn'],
  delivered: ['deliveryDelivered', 'ok'],
  dead: ['deliveryDead', 'ng'],
};

function Deliveries({ overview }: { overview: CallbackOverview }) {
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
              title: t('status'),
              cell: ({ status }) => <Badge tone={statuses[status][1]}>{t(statuses[status][0])}</Badge>,
            },
            {
              title: t('item'),
              cell: ({ item_id: id }) => (
                <Link to={itemPath(id)} className="link">
                  {id.slice(-12)}
                </Link>
              ),
            },
            { title: t('attempts'), numeric: true, cell: ({ attempts }) => attempts },
            { title: t('answer'), cell: ({ last_status, last_error }) => last_error ?? last_status ?? '–' },
            { title: t('lastTry'), numeric: true, cell: ({ last_tried_at: time }) => (time ? timeText(time) : '–') },
          ]}
        />
      )}
    </Card>
  );
}
