import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Verdict } from '../../../../src/client/shapes.ts';
import { labelsQuery } from '../../api/queries.ts';
import { VerdictMark } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { shownAssessment, Thumbnail } from '../../components/item-tile.tsx';
import { t } from '../../i18n/text.ts';
import type { Review } from './use-review.ts';

interface ReviewDeskProps {
  review: Review;
  itemId: string;
  verdict: Verdict | undefined;
  decide: (verdict: Verdict) => void;
  /** NG of this kind. */
  decideKind: (label: number) => void;
}

const kindsShown = 9;

/** Below the image in review mode: a large button in each corner, kinds of defect, and the neighbours in the list. */
export function ReviewDesk({ review, itemId, verdict, decide, decideKind }: ReviewDeskProps) {
  const labels = useQuery(labelsQuery()).data ?? [];
  const button = (which: Verdict) => (
    <Button
      needs="inspector"
      look={which === 'OK' ? 'ok' : 'ng'}
      label={t(which === 'OK' ? 'markGood' : 'markNg')}
      aria-pressed={which === verdict}
      aria-keyshortcuts={which === 'OK' ? 'O' : 'N'}
      className={`min-h-16! min-w-28! text-base max-sm:flex-1 ${which === 'NG' ? 'sm:order-last' : ''}`}
      onClick={() => decide(which)}
    />
  );
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-surface p-2 pb-[calc(0.5rem+env(safe-area-inset-bottom))]">
      {labels.length > 0 && (
        <fieldset aria-label={t('kindsOfDefect')} className="flex gap-2 overflow-x-auto sm:justify-end">
          {labels.slice(0, kindsShown).map(({ label, name }) => (
            <Button
              key={label}
              needs="inspector"
              look="ng"
              size="small"
              className="min-h-11"
              label={`${label} · ${name}`}
              onClick={() => decideKind(label)}
            />
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
        <FilmStrip review={review} itemId={itemId} />
        <fieldset aria-label={t('yourVerdict')} className="contents">
          {button('OK')}
          {button('NG')}
        </fieldset>
      </div>
    </div>
  );
}

const shownBefore = 6;
const shownAfter = 12;

/** The neighbours in the list, with their verdicts. */
function FilmStrip({ review, itemId }: Pick<ReviewDeskProps, 'review' | 'itemId'>) {
  const { items, modelId, pathTo } = review;
  const current = useRef<HTMLLIElement>(null);
  const at = Math.max(
    0,
    items.findIndex((item) => item.item_id === itemId),
  );
  const shown = items.slice(Math.max(0, at - shownBefore), at + shownAfter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each item
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [itemId]);
  return (
    <ul
      aria-label={t('filmStrip')}
      className="flex min-w-0 flex-1 gap-1.5 overflow-x-auto p-0.5 max-sm:basis-full sm:order-1 sm:justify-center-safe"
    >
      {shown.map((item) => {
        const isCurrent = item.item_id === itemId;
        const person = item.user_assessment?.result;
        const model = shownAssessment(item, modelId)?.result;
        const colour = person ?? model;
        return (
          <li key={item.item_id} ref={isCurrent ? current : undefined} className="shrink-0">
            <Link
              to={pathTo(item)}
              replace
              aria-current={isCurrent}
              title={item.name}
              className={`relative block size-14 overflow-hidden rounded-md border-2 ${isCurrent ? 'border-accent' : 'border-line'}`}
            >
              <Thumbnail item={item} />
              {colour && (
                <span
                  className={`absolute right-0.5 bottom-0.5 flex rounded p-0.5 ${colour === 'OK' ? 'text-ok' : 'text-ng'} ${person ? 'bg-surface' : 'bg-surface opacity-70'}`}
                >
                  {person && <Icon name="person" size={12} />}
                  <VerdictMark verdict={colour} size={person ? 12 : 9} />
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
