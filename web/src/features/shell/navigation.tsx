import { useState } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { signOut } from '../../api/kensa.ts';
import { commitDeletes } from '../../api/pending-deletes.ts';
import { queryClient, refreshAll } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useShortcuts } from '../../components/shortcuts.ts';
import { type MessageKey, t } from '../../i18n/text.ts';
import { language, theme } from '../../preferences.ts';
import { chooseProduct, useProduct } from '../../product.ts';
import { useStore } from '../../store.ts';
import { forgetPerson, SwitchPersonDialog } from '../login/pin-sign-in.tsx';

interface ScreenLink {
  readonly path: string;
  readonly title: MessageKey;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key: string;
}

export const screens: readonly ScreenLink[] = [
  { path: '/', title: 'navStart', icon: 'start', key: 's' },
  { path: '/items', title: 'itemsTitle', icon: 'items', key: 'i' },
  { path: '/train', title: 'navTrain', icon: 'train', key: 't' },
  { path: '/models', title: 'modelsTitle', icon: 'models', key: 'm' },
  { path: '/stations', title: 'navStations', icon: 'station', key: 'l' },
  { path: '/target', title: 'navTarget', icon: 'target', key: 'p' },
  { path: '/operations', title: 'operationsTitle', icon: 'operations', key: 'o' },
];

/** @param beside something stands beside it, which needs the room on a phone */
export function Brand({ beside = false }: { beside?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 whitespace-nowrap text-lg font-semibold tracking-tight">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M5 12V5h7M20 5h7v7M27 20v7h-7M12 27H5v-7" fill="none" stroke="var(--accent)" strokeWidth="3" />
        <circle cx="16" cy="16" r="5.2" fill="none" stroke="currentColor" strokeWidth="3" />
      </svg>
      <span
        className={`${beside ? 'max-xl:sr-only' : 'md:max-xl:sr-only'} @max-[9.5rem]/brand:text-sm @max-[7rem]/brand:sr-only`}
      >
        {t('appName')}
      </span>
    </span>
  );
}

/** Which product items, training, models and start show; nothing where there is one product only. */
export function ProductSwitch() {
  const { targets, isChoice, productId } = useProduct();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  if (!isChoice) return null;
  const choose = (value: string) => {
    chooseProduct(Number(value) || undefined);
    // What the address names, an item or a filter by model, may be of another product.
    const [screen] = pathname.split('/').slice(1);
    const type = new URLSearchParams(search).get('type');
    navigate(`/${screen}${type ? `?type=${type}` : ''}`);
  };
  const shown = targets.find((one) => one.target_id === productId)?.name ?? t('allProducts');
  return (
    <span className="relative flex min-h-10 items-center rounded-md border border-line-strong px-2 text-[13px] focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent max-md:mx-2 max-md:min-w-0 max-md:flex-1 max-md:leading-4 md:mt-3 md:w-full md:max-xl:px-1 md:max-xl:text-xs">
      {/* Unlike the text of a select, it takes a second line where there is little room. */}
      <span aria-hidden="true" className="line-clamp-2 min-w-0 flex-1 break-words" title={shown}>
        {shown}
      </span>
      <span className="md:max-xl:hidden">
        <Icon name="down" size={14} />
      </span>
      <CompactSelect
        label={t('product')}
        title={shown}
        value={productId ?? ''}
        options={[['', t('allProducts')], ...targets.map((one) => [one.target_id, one.name] as const)]}
        onChange={choose}
        className="absolute inset-0 size-full opacity-0"
      />
    </span>
  );
}

export function LanguageAndTheme({ className }: { className?: string }) {
  const other = useStore(theme) === 'dark' ? 'light' : 'dark';
  const choose = (value: string) => {
    language.set(value === 'ja' ? 'ja' : 'en');
    // The server writes its sentences in the language of the request.
    void refreshAll();
    // The page renders anew, and the focus would be lost.
    setTimeout(() => document.getElementById('language')?.focus());
  };
  return (
    <>
      <CompactSelect
        id="language"
        label={t('language')}
        value={useStore(language)}
        options={[
          ['en', 'English'],
          ['ja', '日本語'],
        ]}
        onChange={choose}
        className={className}
      />
      <IconButton
        icon={other === 'dark' ? 'moon' : 'sun'}
        label={t(other === 'dark' ? 'darkTheme' : 'lightTheme')}
        onClick={() => theme.set(other)}
      />
    </>
  );
}

export function Preferences({ onHelp }: { onHelp: () => void }) {
  const { account, terminal } = useStore(session).session ?? {};
  const [switching, setSwitching] = useState(false);
  const others = terminal?.people.filter(({ user_id }) => user_id !== account?.id) ?? [];
  useShortcuts(others.length > 0 ? { 'Shift+p': () => setSwitching(true) } : {});
  const logOut = async () => {
    // Deletions that still wait need the session.
    await commitDeletes();
    await signOut();
    forgetPerson();
    queryClient.clear();
  };
  return (
    <div className="flex items-center gap-0.5 border-line bg-surface p-1 [grid-area:preferences] xl:flex-wrap md:border-t md:p-2 md:max-xl:flex-col md:max-xl:p-1 xl:gap-0">
      <LanguageAndTheme className="md:max-xl:w-full md:max-xl:px-0.5 md:max-xl:text-xs" />
      <IconButton icon="help" label={t('keyboardHelp')} onClick={onHelp} className="max-md:hidden" />
      <NavLink
        to="/account"
        title={account?.name}
        aria-label={t('accountOf', { name: account?.name ?? '' })}
        className="inline-flex size-10 shrink-0 items-center justify-center gap-3 any-pointer-coarse:min-h-11 any-pointer-coarse:min-w-11 rounded-md hover:bg-sunken aria-[current]:text-accent xl:order-first xl:w-full xl:justify-start xl:px-3"
      >
        <Icon name="person" />
        <span className="truncate max-xl:hidden">{account?.name}</span>
      </NavLink>
      {others.length > 0 && <IconButton icon="switch" label={t('switchPerson')} onClick={() => setSwitching(true)} />}
      {switching && <SwitchPersonDialog people={others} onClose={() => setSwitching(false)} />}
      <IconButton icon="leave" label={t('logOut')} onClick={logOut} />
    </div>
  );
}

/** At the side; on a phone a row at the bottom. */
export function Navigation() {
  return (
    <nav
      aria-label={t('navigation')}
      className="max-md:flex max-md:pb-[env(safe-area-inset-bottom)] md:flex md:flex-col md:gap-0.5 md:min-h-0 md:overflow-y-auto md:px-1 xl:px-2"
    >
      {screens.map((screen) => (
        <NavLink
          key={screen.path}
          to={screen.path}
          end={screen.path === '/'}
          className="flex items-center font-medium whitespace-nowrap max-md:flex-auto max-xl:min-h-14 max-xl:flex-col max-xl:justify-center max-xl:gap-0.5 max-xl:text-center max-xl:text-[10.5px] max-xl:tracking-tight max-xl:text-ink-soft md:rounded-md xl:min-h-10 xl:gap-3 xl:px-3 md:not-aria-[current]:hover:bg-sunken aria-[current]:text-accent md:aria-[current]:bg-accent-soft"
        >
          <Icon name={screen.icon} />
          {t(screen.title)}
        </NavLink>
      ))}
    </nav>
  );
}
