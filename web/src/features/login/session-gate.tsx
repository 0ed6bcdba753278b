import type { ReactNode } from 'react';
import { refreshAll } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useScreenTitle } from '../../components/page.tsx';
import { t } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';
import { Brand, LanguageAndTheme } from '../shell/navigation.tsx';
import { LoginForm } from './login-form.tsx';

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
