import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import type { CallbackOverview, Model } from '../../../../src/client/shapes.ts';
import { saveCallback, testCallback } from '../../api/mutations.ts';
import { callbacksQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loading.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { useText } from '../../i18n/use-text.ts';
import { DeliveryTable } from './delivery-table.tsx';

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
          <Card
            title={t('deliveries')}
            aside={<span className="text-[13px] text-ink-soft">{t('deliveryCounts', { ...counts(data) })}</span>}
          >
            <DeliveryTable deliveries={data.deliveries} />
          </Card>
        </div>
      )}
    </Loaded>
  );
}

const counts = ({ delivered, pending, dead }: CallbackOverview) => ({ delivered, pending, dead });

function CallbackForm({ model, overview }: { model: Model; overview: CallbackOverview }) {
  const t = useText();
  const queryClient = useQueryClient();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
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
          onChange={(event) => setMethod(event.target.value === 'get' ? 'get' : 'post')}
        >
          <option value="post">POST</option>
          <option value="get">GET</option>
        </SelectField>
      </div>
      <Secret secret={overview.secret} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" disabled={save.isPending}>
          {t('save')}
        </Button>
        {overview.callback_url !== '' && <TestButton model={model} />}
      </div>
    </form>
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
  const test = useMutation({ mutationFn: () => testCallback(model.model_id), onError: showError });
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
