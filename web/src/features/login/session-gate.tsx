import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useText } from '../../i18n/use-text.ts';
import { LoginForm } from './login-form.tsx';
import { LoginPage } from './login-page.tsx';

/** Lets nobody in without a token, and throws nothing away when the token runs out. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { session, expired } = useSession();
  const queryClient = useQueryClient();
  const t = useText();
  if (!session) return <LoginPage />;
  return (
    <>
      {children}
      {expired && (
        <Dialog title={t('loginAgainTitle')}>
          <p className="mb-4 text-ink-soft">{t('loginAgainHint')}</p>
          <LoginForm clientId={session.clientId} onDone={() => queryClient.invalidateQueries()} />
        </Dialog>
      )}
    </>
  );
}
