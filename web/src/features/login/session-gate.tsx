import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import { api, reachable, readSession, signIn } from '../../api/kensa.ts';
import { refreshAll } from '../../api/queries.ts';
import { askedReason } from '../../api/reason.ts';
import { session } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { useScreenTitle } from '../../components/page.tsx';
import { errorText } from '../../components/toast.tsx';
import { actText } from '../../i18n/act-text.ts';
import { t } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';
import { Brand, LanguageAndTheme } from '../shell/navigation.tsx';
import { PinSignIn } from './pin-sign-in.tsx';

const tryAgainMs = 2_000;

/** Shows the sign-in page without a session. When the session ends, the screen stays behind a form to sign in again. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { session: current, expired } = useStore(session);
  const isReachable = useStore(reachable);
  useEffect(() => {
    if (current !== undefined) return;
    const read = () => void readSession().catch(() => undefined);
    read();
    const timer = setInterval(read, tryAgainMs);
    return () => clearInterval(timer);
  }, [current]);
  if (!current) return isReachable ? null : <p className="p-6">{t('unreachableNote')}</p>;
  const people = current.terminal?.people ?? [];
  if (!current.account)
    return (
      <EntrancePage title={t('logIn')} heading={t('loginTitle')}>
        {people.length > 0 && (
          <div className="mb-6 border-b border-line pb-6">
            <PinSignIn people={people} />
          </div>
        )}
        <SignInForm />
        {current.single_sign_on !== null && <SingleSignOn name={current.single_sign_on} />}
        <p className="mt-4 text-[13px] text-ink-soft">{t(current.first_start ? 'firstStartHint' : 'loginHint')}</p>
      </EntrancePage>
    );
  if (current.first_start && current.account.kind === 'client' && current.account.role === 'admin')
    return (
      <EntrancePage title={t('firstAdminTitle')} heading={t('firstAdminTitle')}>
        <p className="mb-4 text-ink-soft">{t('firstAdminHint')}</p>
        <FirstAdminForm />
      </EntrancePage>
    );
  const { id: accountId, method } = current.account;
  const samePerson = method === 'pin' ? people.filter(({ user_id }) => user_id === accountId) : [];
  return (
    <>
      {children}
      {expired && (
        <Dialog title={t('loginAgainTitle')}>
          <p className="mb-4 text-ink-soft">{t('loginAgainHint')}</p>
          {/* Requests of this person wait: another one must not send them. */}
          {samePerson.length > 0 ? (
            <PinSignIn people={samePerson} onDone={refreshAll} />
          ) : (
            <SignInForm name={current.account.name} onDone={refreshAll} />
          )}
        </Dialog>
      )}
      <ReasonDialog />
    </>
  );
}

function EntrancePage({ title, heading, children }: { title: string; heading: string; children: ReactNode }) {
  useScreenTitle(title);
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex justify-end gap-1 p-3">
        <LanguageAndTheme />
      </div>
      <main className="flex flex-1 items-center justify-center p-4 pb-24">
        <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-sm">
          <Brand />
          <p className="mt-1 mb-6 text-ink-soft">{t('tagline')}</p>
          <h1 className="mb-4 text-lg font-semibold">{heading}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}

/** Leads to the provider, and from there back to the screen that was asked for. */
function SingleSignOn({ name }: { name: string }) {
  const query = new URLSearchParams(location.search);
  const refusal = query.get('sign_in');
  query.delete('sign_in');
  const returnTo = `${location.pathname}${query.size > 0 ? `?${query}` : ''}`;
  const texts: Readonly<Record<string, string>> = {
    'sso-refused': t('ssoRefused'),
    'sso-no-role': t('ssoNoRole'),
    'sso-unavailable': t('ssoUnavailable'),
    'sign-in-refused': t('ssoRefused'),
  };
  return (
    <div className="mt-4 flex flex-col gap-3">
      {refusal !== null && <ErrorNote>{texts[refusal] ?? t('ssoRefused')}</ErrorNote>}
      <a href={`/api/v1/session/sso?return_to=${encodeURIComponent(returnTo)}`} className={buttonClass()}>
        {t('signInWith', { name })}
      </a>
    </div>
  );
}

export function SignInForm({ name: known = '', onDone }: { name?: string; onDone?: () => unknown }) {
  const [name, setName] = useState(known);
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signIn(name.trim(), password),
    onSuccess: () => onDone?.(),
    onError: () => {
      passwordField.current?.select();
      passwordField.current?.focus();
    },
  });
  return (
    <Form onSubmit={mutate} className="flex flex-col gap-4">
      <TextField
        label={t('personName')}
        name="name"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t('password')}
        ref={passwordField}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {error && <ErrorNote>{errorText(error)}</ErrorNote>}
      <Button label={t('logIn')} type="submit" look="primary" disabled={isPending} />
    </Form>
  );
}

/** Makes the account of the first admin, and goes on as that person. */
function FirstAdminForm() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await dataOf(api.POST('/api/v1/users', { body: { name: name.trim(), role: 'admin', password } }));
      await signIn(name.trim(), password);
    },
  });
  return (
    <Form onSubmit={mutate} className="flex flex-col gap-4">
      <TextField
        label={t('personName')}
        name="name"
        autoComplete="username"
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t('password')}
        hint={t('passwordHint')}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {error && <ErrorNote>{errorText(error)}</ErrorNote>}
      <Button label={t('firstAdminMake')} type="submit" look="primary" disabled={isPending} />
    </Form>
  );
}

/** Asks why, where the service wants a reason for an act. */
function ReasonDialog() {
  const asked = useStore(askedReason);
  const [reason, setReason] = useState('');
  if (!asked) return null;
  const answer = (given: string | undefined) => {
    setReason('');
    asked.answer(given);
  };
  return (
    <Dialog title={t('reasonTitle')} onClose={() => answer(undefined)}>
      <Form onSubmit={() => answer(reason.trim())} className="flex flex-col gap-4">
        <TextField
          label={t('reasonFor', { act: actText(asked.act) })}
          name="reason"
          required
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button label={t('goOn')} type="submit" look="primary" disabled={reason.trim() === ''} />
      </Form>
    </Dialog>
  );
}
