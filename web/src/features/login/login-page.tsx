import { useScreenTitle } from '../../components/use-screen-title.ts';
import { useText } from '../../i18n/use-text.ts';
import { Brand } from '../shell/brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../shell/preferences.tsx';
import { LoginForm } from './login-form.tsx';

export function LoginPage() {
  const t = useText();
  useScreenTitle(t('logIn'));
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex justify-end gap-1 p-3">
        <LanguageSwitch />
        <ThemeSwitch />
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
