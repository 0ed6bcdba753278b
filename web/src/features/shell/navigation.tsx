import { useQueryClient } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { session } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';
import { commitDeletes } from '../items/pending-deletes.ts';
import { Brand } from './brand.tsx';
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx';
import { screens } from './screens.ts';

function Preferences({ onHelp }: { onHelp: () => void }) {
  const t = useText();
  const queryClient = useQueryClient();
  const logOut = async () => {
    // They need the token that is about to be forgotten.
    await commitDeletes();
    session.end();
    queryClient.clear();
  };
  return (
    <div className="flex items-center gap-0.5">
      <LanguageSwitch />
      <ThemeSwitch />
      <IconButton label={t('keyboardHelp')} onClick={onHelp} className="max-md:hidden">
        <Icon name="help" />
      </IconButton>
      <IconButton label={t('logOut')} onClick={logOut}>
        <Icon name="leave" />
      </IconButton>
    </div>
  );
}

export function SideBar({ onHelp }: { onHelp: () => void }) {
  const t = useText();
  return (
    <div className="hidden w-56 shrink-0 flex-col border-r border-line bg-surface md:flex">
      <div className="px-4 pt-5 pb-4">
        <Brand />
      </div>
      <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-0.5 px-2">
        {screens.map((screen) => (
          <NavLink
            key={screen.path}
            to={screen.path}
            end={screen.path === '/'}
            className={({ isActive }) =>
              classNames(
                'flex min-h-10 items-center gap-3 rounded-md px-3 font-medium',
                isActive ? 'bg-accent-soft text-accent' : 'text-ink hover:bg-sunken',
              )
            }
          >
            <Icon name={screen.icon} />
            {t(screen.title)}
          </NavLink>
        ))}
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
      {screens.map((screen) => (
        <NavLink
          key={screen.path}
          to={screen.path}
          end={screen.path === '/'}
          className={({ isActive }) =>
            classNames(
              'flex min-h-14 flex-col items-center justify-center gap-0.5 text-[10.5px] font-medium tracking-tight',
              isActive ? 'text-accent' : 'text-ink-soft',
            )
          }
        >
          <Icon name={screen.icon} size={20} />
          {t(screen.title)}
        </NavLink>
      ))}
    </nav>
  );
}
