import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useEffect, useState } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { reachable } from '../../api/kensa.ts';
import { refreshAll, retentionQuery } from '../../api/queries.ts';
import { LinkButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { isForScreen, isTyping, keyName, useShortcuts } from '../../components/shortcuts.ts';
import { ToastPlace } from '../../components/toast.tsx';
import { undoChange } from '../../components/undo.ts';
import { useMedia } from '../../components/use-media.ts';
import { type MessageKey, t } from '../../i18n/text.ts';
import { useProduct } from '../../product.ts';
import { useStore } from '../../store.ts';
import { reviewMode } from '../item/review-mode.ts';
import { Brand, Navigation, Preferences, ProductSwitch, screens } from './navigation.tsx';

/** The room of the newest message stays on the screen of an item, so that none moves the image. */
const keepsRoom = 'max-lg:min-h-16 max-lg:has-[li]:py-1 max-lg:[&_li:not(:last-child)]:hidden';
/**
 * A phone, and a window at 200 %, keep no room: the newest message lies on the uppermost row. Only the logout stays free.
 * On a phone held sideways, the message lies on the item's name.
 */
const onTopRow =
  'z-10 mr-12 content-center bg-surface p-0.5 [grid-area:1/1/2/-1] not-has-[li]:hidden md:mr-56 md:ml-14 md:self-start md:[grid-area:content] [&_li]:py-0 [&_li:not(:last-child)]:hidden';

/** The frame of every screen, with the navigation at the side, or at the bottom of a phone. */
export function Shell() {
  const [helping, setHelping] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pressed link or button may be gone with its screen
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
  const isItem = pathname.startsWith('/items/');
  const isReviewing = useStore(reviewMode) && isItem;
  const { isChoice } = useProduct();
  const isWide = useMedia('(min-width: 80rem)');
  const isPhoneItem = useMedia('(width < 48rem), (width < 80rem) and (height < 30rem)') && isItem && !isReviewing;
  useGoKeys();
  useUndoKeys();
  useShortcuts({ '?': () => setHelping(true) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the browser from its own action
    <div className={isReviewing ? 'shell-review' : 'shell'} onDragOver={refuseFiles} onDrop={refuseFiles}>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded focus:bg-surface focus:p-3"
      >
        {t('skipToContent')}
      </a>
      {!isReviewing && (
        <>
          <header className="@container/brand flex min-w-0 items-center bg-surface pl-4 [grid-area:brand] md:flex-col md:items-stretch md:pt-5 md:pr-3 md:pb-4 md:max-xl:items-center md:max-xl:px-1 md:max-xl:py-2">
            <Brand beside={isChoice} />
            <ProductSwitch />
          </header>
          <div className="flex min-h-0 flex-col bg-surface [grid-area:navigation]">
            <Navigation />
            {isWide && <ToastPlace level="frame" className="mt-auto has-[li]:p-2" />}
          </div>
          <Preferences onHelp={() => setHelping(true)} />
          {isPhoneItem && <ToastPlace level="frame" className={onTopRow} />}
        </>
      )}
      <div className="flex min-h-0 min-w-0 flex-col border-line [grid-area:content] max-md:border-y md:border-l">
        <ConnectionNote />
        <DiskNote />
        {(isReviewing || !isWide) && !isPhoneItem && (
          <ToastPlace
            level="frame"
            className={`has-[li]:border-b has-[li]:border-line has-[li]:p-2 ${isItem && !isReviewing ? keepsRoom : ''}`}
          />
        )}
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
      {helping && <KeyboardHelp onClose={() => setHelping(false)} />}
    </div>
  );
}

const tryAgainMs = 3_000;

/** While the server cannot be reached: says that the screen may be out of date, and tries again. */
function ConnectionNote() {
  const isReachable = useStore(reachable);
  useEffect(() => {
    if (isReachable) return;
    const timer = setInterval(() => void refreshAll(), tryAgainMs);
    return () => {
      clearInterval(timer);
      void refreshAll();
    };
  }, [isReachable]);
  if (isReachable) return null;
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-2 text-warn">
      <Icon name="warning" /> {t('unreachableNote')}
    </p>
  );
}

/** While uploads are refused because the disk is short: says why, on every screen. */
function DiskNote() {
  const state = useQuery(retentionQuery()).data;
  if (state?.refuses_uploads !== true) return null;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 border-b border-line bg-ng-soft px-4 py-2 text-ng">
      <Icon name="warning" />
      <span className="min-w-0 flex-1">
        {t('uploadsRefused')} {state.status_text}
      </span>
      <LinkButton to="/retention" size="small" label={t('retentionTitle')} />
    </p>
  );
}

const pauseMs = 1200;

/** `g` and then the letter of a screen opens it. Listens before the screens, which use the same letters. */
function useGoKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isForScreen(event)) return;
      const key = keyName(event);
      const waiting = performance.now() - startedAt < pauseMs;
      startedAt = key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY;
      const screen = waiting ? screens.find((candidate) => candidate.key === key) : undefined;
      if (!screen) return;
      event.preventDefault();
      navigate(screen.path);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate]);
}

/** Ctrl+Z or ⌘Z takes back the last change. In a field it is the browser's own undo. */
function useUndoKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = keyName(event) === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isUndo || isTyping(event) || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      if (!event.repeat) void undoChange();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The browser would open a file that misses the drop area, and leave the page and its login. */
function refuseFiles(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

type Row = readonly [keys: string, does: MessageKey];

const groups: readonly { title: MessageKey; rows: readonly Row[] }[] = [
  {
    title: 'helpGallery',
    rows: [
      ['← ↑ ↓ →', 'helpMoveFocus'],
      ['Enter', 'helpOpen'],
      ['X', 'helpSelect'],
      ['Shift X', 'helpSelectRange'],
      ['A', 'helpSelectAll'],
      ['O', 'helpMarkGood'],
      ['N', 'helpMarkNg'],
      ['Delete', 'remove'],
    ],
  },
  {
    title: 'helpReview',
    rows: [
      ['O', 'helpGoodNext'],
      ['N', 'helpNgNext'],
      ['→ ←', 'helpNext'],
      ['H', 'helpHeatmap'],
      ['Space', 'helpBare'],
      ['C', 'helpNearest'],
      ['[ ]', 'helpHeatmapStrength'],
      ['+ − 0', 'helpZoom'],
      ['R', 'drawRegion'],
      ['Shift R', 'addRegion'],
      ['F', 'reviewMode'],
      ['1 … 9', 'helpKind'],
      ['Z', 'helpZoomRegion'],
      ['B', 'helpNextRegion'],
      ['← ↑ ↓ →', 'helpMoveRegion'],
      ['W S A D', 'helpResizeRegion'],
      ['0 … 9', 'helpLabelRegion'],
      ['Delete', 'remove'],
      ['Esc', 'backToItems'],
    ],
  },
  { title: 'modelsTitle', rows: [['← →', 'helpThreshold']] },
];

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keyboardHelp')} onClose={onClose} size="wide">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <section>
          <h3 className="mb-2 font-semibold">{t('helpEverywhere')}</h3>
          <ShortcutRow keys="?" does={t('helpThis')} />
          <ShortcutRow keys="Ctrl Z" does={t('helpUndo')} />
          <ShortcutRow keys="Shift P" does={t('switchPersonHelp')} />
          {screens.map((screen) => (
            <ShortcutRow key={screen.key} keys={`G ${screen.key.toUpperCase()}`} does={t(screen.title)} />
          ))}
        </section>
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className="mb-2 font-semibold">{t(group.title)}</h3>
            {group.rows.map(([keys, does]) => (
              <ShortcutRow key={keys} keys={keys} does={t(does)} />
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function ShortcutRow({ keys, does }: { keys: string; does: string }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1">
      <span>{does}</span>
      <span className="flex gap-1">
        {keys.split(' ').map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded border border-line-strong bg-sunken px-1.5 py-0.5 text-center text-xs font-medium"
          >
            {key}
          </kbd>
        ))}
      </span>
    </div>
  );
}
