import { useRouteError } from 'react-router';
import { Button, LinkButton } from '../components/button.tsx';
import { EmptyNote, Page, useScreenTitle } from '../components/page.tsx';
import { t } from '../i18n/text.ts';

/** Replaces a screen that threw an error. A new release may have replaced the files that an open page still loads. */
export function CrashNote() {
  const error = useRouteError();
  useScreenTitle(t('crashTitle'));
  return (
    <Page>
      <EmptyNote title={t('crashTitle')}>
        <p className="text-ink-soft">{error instanceof Error ? error.message : String(error)}</p>
        <Button label={t('crashReload')} look="primary" onClick={() => location.reload()} />
      </EmptyNote>
    </Page>
  );
}

export function NotFound() {
  useScreenTitle(t('notFoundTitle'));
  return (
    <Page>
      <EmptyNote title={t('notFoundTitle')}>
        <LinkButton to="/" look="primary" label={t('notFoundBack')} />
      </EmptyNote>
    </Page>
  );
}
