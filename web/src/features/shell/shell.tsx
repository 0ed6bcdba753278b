import { useState } from 'react';
import { Outlet } from 'react-router';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useText } from '../../i18n/use-text.ts';
import { ConnectionNote } from './connection-note.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { SideBar, TabBar, TopBar } from './navigation.tsx';
import { useGoKeys } from './use-go-keys.ts';
import { useStrayDrops } from './use-stray-drops.ts';

/** The frame of every screen: a bar at the side on wide screens, at the bottom on phones. */
export function Shell() {
  const t = useText();
  const [helping, setHelping] = useState(false);
  useGoKeys();
  useStrayDrops();
  useShortcuts({ '?': () => setHelping(true) });
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded focus:bg-surface focus:p-3"
      >
        {t('skipToContent')}
      </a>
      <SideBar onHelp={() => setHelping(true)} />
      <TopBar onHelp={() => setHelping(true)} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionNote />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
      <TabBar />
      {helping && <KeyboardHelp onClose={() => setHelping(false)} />}
    </div>
  );
}
