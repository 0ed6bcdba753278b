import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { logIn } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { useScreenTitle } from '../../components/page.tsx';
import { errorText } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';
import { Brand, LanguageAndTheme } from '../shell/navigation.tsx';

/** Shows the login page without a token. When the token expires, the screen stays behind a form to log in again. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { session: current, expired } = useStore(session);
  if (!current) return <LoginPage />;
  return (
    <>
      {children}
      {expired && (
        <Dialog title={t('loginAgainTitle')}>
          <p className="mb-4 text-ink-soft">{t('loginAgainHint')}</p>
          <LoginForm clientId={current.clientId} onDone={refreshAll} />
        </Dialog>
      )}
    </>
  );
}

function LoginPage() {
  useScreenTitle(t('logIn'));
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex justify-end gap-1 p-3">
        <LanguageAndTheme />
      </div>
      <main className="flex flex-1 items-center justify-center p-4 pb-24">
        <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-sm">
          <Brand />
          <p className="mt-1 mb-6 text-ink-soft">{t('tagline')}</p>
          <h1 className="mb-4 text-lg font-semibold">{t('loginTitle')}</h1>
          <LoginForm />
          <p className="mt-4 text-[13px] text-ink-soft">{t('loginHint')}</p>
          <p className="mt-2 text-[13px] text-ink-soft">{t('loginPrivacy')}</p>
        </div>
      </main>
    </div>
  );
}

export function LoginForm({ clientId = '', onDone }: { clientId?: string; onDone?: () => unknown }) {
  const [id, setId] = useState(clientId);
  const [secret, setSecret] = useState('');
  const secretField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: () => logIn(id.trim(), secret.trim()),
    onSuccess: () => onDone?.(),
    onError: () => {
      secretField.current?.select();
      secretField.current?.focus();
    },
  });
  const { error } = login;
  return (
    <Form onSubmit={login.mutate} className="flex flex-col gap-4">
      <TextField
        label={t('clientId')}
        name="client_id"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <TextField
        label={t('clientSecret')}
        ref={secretField}
        name="client_secret"
        type="password"
        autoComplete="current-password"
        required
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
      {error && <ErrorNote>{errorText(error)}</ErrorNote>}
      <Button label={t('logIn')} type="submit" look="primary" disabled={login.isPending} />
    </Form>
  );
}
