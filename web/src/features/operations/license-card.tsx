import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Schemas } from '../../../../src/client/shapes.ts';
import { api } from '../../api/kensa.ts';
import { nodeHashQuery, queryClient } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Field, Form, inputClass } from '../../components/field.tsx';
import { Card, Loaded } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { dateText, t } from '../../i18n/text.ts';

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
