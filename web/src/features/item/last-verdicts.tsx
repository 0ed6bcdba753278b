import { Link } from 'react-router';
import type { Item, Verdict } from '../../../../src/client/shapes.ts';
import { VerdictMark } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Thumbnail } from '../../components/item-tile.tsx';
import { undoChange, useLastChange } from '../../components/undo.ts';
import { t } from '../../i18n/text.ts';
import { createStore, useStore } from '../../store.ts';

interface GivenVerdict {
  readonly item: Item;
  readonly verdict: Verdict;
  /** The address of the item in its list. */
  readonly path: string;
}

const shownVerdicts = 5;

/** The verdicts that were given last, the newest first. */
export const lastVerdicts = createStore<readonly GivenVerdict[]>([]);

export function addLastVerdict(given: GivenVerdict): void {
  const others = lastVerdicts.get().filter(({ item }) => item.item_id !== given.item.item_id);
  lastVerdicts.set([given, ...others].slice(0, shownVerdicts));
}

export function removeLastVerdict(itemId: string): void {
  lastVerdicts.set(lastVerdicts.get().filter(({ item }) => item.item_id !== itemId));
}

/** A strip of the last verdicts, as links to their items, and the button that takes the last change back. */
export function LastVerdicts() {
  const given = useStore(lastVerdicts);
  const { what, isOffered } = useLastChange();
  if (given.length === 0 && what === undefined) return null;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex min-h-10 items-center justify-between gap-2">
        {given.length > 0 && (
          <h2 id="last-verdicts" className="font-semibold">
            {t('yourLastVerdicts')}
          </h2>
        )}
        {what !== undefined && !(isOffered && given.length > 0) && (
          <Button
            label={t('undo')}
            size="small"
            className="ml-auto min-h-10"
            title={t('undoWhat', { what })}
            aria-label={t('undoWhat', { what })}
            onClick={() => void undoChange()}
          />
        )}
      </div>
      {given.length > 0 && (
        <ul aria-labelledby="last-verdicts" className="grid grid-cols-5 gap-1.5">
          {given.map(({ item, verdict, path }) => (
            <li key={item.item_id}>
              <Link
                to={path}
                replace
                title={`${item.name}: ${verdict}`}
                className={`relative block overflow-hidden rounded-md border-2 ${verdict === 'OK' ? 'border-ok text-ok' : 'border-ng text-ng'}`}
              >
                <Thumbnail item={item} className="aspect-square" />
                <span className="absolute right-0.5 bottom-0.5 flex rounded bg-surface p-0.5">
                  <VerdictMark verdict={verdict} />
                </span>
                <span className="sr-only">{verdict}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
