import type { Item } from '../../../../src/client/shapes.ts';
import { VerdictMark } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';
import type { Review } from './item-screen.tsx';

interface ReviewBarProps {
  item: Item;
  review: Review;
  judge: (good: boolean, thenNext: boolean) => void;
}

/** Name and place in the list; the verdict buttons, which on a phone lie under the thumb. */
export function ReviewBar({ item, review, judge }: ReviewBarProps) {
  const t = useText();
  const { place } = review;
  const verdict = item.user_assessment?.result;
  return (
    <header className="flex flex-wrap items-center gap-x-2 border-b border-line bg-surface px-2 py-1">
      <IconButton label={t('backToItems')} onClick={review.back}>
        <Icon name="items" />
      </IconButton>
      <h1 className="min-w-0 flex-1 truncate text-base font-semibold" title={item.name}>
        {item.name}
      </h1>
      {place && (
        <span className="text-[13px] text-ink-soft tabular-nums" aria-live="polite">
          {t('position', place)}
        </span>
      )}
      <IconButton label={t('previousItem')} onClick={() => review.go(-1)}>
        <Icon name="left" />
      </IconButton>
      <IconButton label={t('nextItem')} onClick={() => review.go(1)}>
        <Icon name="right" />
      </IconButton>
      <fieldset
        aria-label={t('yourVerdict')}
        className="flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[calc(3.5rem+env(safe-area-inset-bottom)+1px)] max-lg:z-20 max-lg:border-t max-lg:border-line max-lg:bg-surface max-lg:p-2 md:max-lg:bottom-0 md:max-lg:left-56"
      >
        <Button
          look="ok"
          aria-pressed={verdict === 'OK'}
          aria-keyshortcuts="O"
          className="max-lg:min-h-12 max-lg:flex-1 lg:min-w-28"
          onClick={() => judge(true, true)}
        >
          <VerdictMark verdict="OK" /> {t('verdictGood')}
          <kbd className="ml-1 rounded border border-current px-1 text-xs opacity-80 max-lg:hidden">O</kbd>
        </Button>
        <Button
          look="ng"
          aria-pressed={verdict === 'NG'}
          aria-keyshortcuts="N"
          className="max-lg:min-h-12 max-lg:flex-1 lg:min-w-28"
          onClick={() => judge(false, true)}
        >
          <VerdictMark verdict="NG" /> {t('verdictNg')}
          <kbd className="ml-1 rounded border border-current px-1 text-xs opacity-80 max-lg:hidden">N</kbd>
        </Button>
      </fieldset>
    </header>
  );
}
