import { NavLink } from 'react-router';
import { queryClient, refreshAll } from '../../api/query-client.ts';
import { session } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { CompactSelect } from '../../components/field.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { setLanguage, useLanguage } from '../../i18n/language.ts';
import type { MessageKey } from '../../i18n/messages/index.ts';
import { useText } from '../../i18n/use-text.ts';
import { setTheme, useTheme } from '../../theme.ts';
import { commitDeletes } from '../items/pending-deletes.ts';

interface ScreenLink {
  readonly path: string;
  readonly title: MessageKey;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key: string;
}

export const screens: readonly ScreenLink[] = [
  { path: '/', title: 'navStart', icon: 'start', key: 's' },
  { path: '/items', title: 'navItems', icon: 'items', key: 'i' },
  { path: '/train', title: 'navTrain', icon: 'train', key: 't' },
  { path: '/models', title: 'navModels', icon: 'models', key: 'm' },
  { path: '/target', title: 'navTarget', icon: 'target', key: 'p' },
  { path: '/operations', title: 'navOperations', icon: 'operations', key: 'o' },
];

export function Brand() {
  const t = useText();
  return (
    <span className="inline-flex items-center gap-2.5 whitespace-nowrap text-lg font-semibold tracking-tight">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M5 12V5h7M20 5h7v7M27 20v7h-7M12 27H5v-7" fill="none" stroke="var(--accent)" strokeWidth="3" />
        <circle cx="16" cy="16" r="5.2" fill="none" stroke="currentColor" strokeWidth="3" />
      </svg>
      {t('appName')}
    </span>
  );
}

export function LanguageAndTheme() {
  const t = useText();
  const language = useLanguage();
  const other = useTheme() === 'dark' ? 'light' : 'dark';
  const choose = (value: string) => {
    setLanguage(value === 'ja' ? 'ja' : 'en');
    // The server writes its sentences in the language of the request.
    void refreshAll();
  };
  return (
    <>
      <CompactSelect
        label={t('language')}
        value={language}
        options={[
          ['en', 'English'],
          ['ja', '日本語'],
        ]}
        onChange={choose}
      />
      <IconButton label={t(other === 'dark' ? 'darkTheme' : 'lightTheme')} onClick={() => setTheme(other)}>
        <Icon name={other === 'dark' ? 'moon' : 'sun'} />
      </IconButton>
    </>
  );
}

function Preferences({ onHelp }: { onHelp: () => void }) {
  const t = useText();
  const logOut = async () => {
    // Deletions that still wait need the token.
    await commitDeletes();
    session.end();
    queryClient.clear();
  };
  return (
    <div className="flex items-center gap-0.5">
      <LanguageAndTheme />
      <IconButton label={t('keyboardHelp')} onClick={onHelp} className="max-md:hidden">
        <Icon name="help" />
      </IconButton>
      <IconButton label={t('logOut')} onClick={logOut}>
        <Icon name="leave" />
      </IconButton>
    </div>
  );
}

function ScreenLinks({ look, active, passive }: { look: string; active: string; passive: string }) {
  const t = useText();
  return screens.map((screen) => (
    <NavLink
      key={screen.path}
      to={screen.path}
      end={screen.path === '/'}
      className={({ isActive }) => classNames('flex font-medium', look, isActive ? active : passive)}
    >
      <Icon name={screen.icon} />
      {t(screen.title)}
    </NavLink>
  ));
}

export function SideBar({ onHelp }: { onHelp: () => void }) {
  const t = useText();
  return (
    <div className="hidden w-56 shrink-0 flex-col border-r border-line bg-surface md:flex">
      <div className="px-4 pt-5 pb-4">
        <Brand />
      </div>
      <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-0.5 px-2">
        <ScreenLinks
          look="min-h-10 items-center gap-3 rounded-md px-3"
          active="bg-accent-soft text-accent"
          passive="text-ink hover:bg-sunken"
        />
      </nav>
      <div className="border-t border-line p-2">
        <Preferences onHelp={onHelp} />
      </div>
    </div>
  );
}

export function TopBar({ onHelp }: { onHelp: () => void }) {
  return (
    <header className="flex items-center justify-between border-b border-line bg-surface py-1 pr-1 pl-4 md:hidden">
      <Brand />
      <Preferences onHelp={onHelp} />
    </header>
  );
}

export function TabBar() {
  const t = useText();
  return (
    <nav
      aria-label={t('navigation')}
      className="grid grid-cols-6 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ScreenLinks
        look="min-h-14 flex-col items-center justify-center gap-0.5 text-[10.5px] tracking-tight"
        active="text-accent"
        passive="text-ink-soft"
      />
    </nav>
  );
}
