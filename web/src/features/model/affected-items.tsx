import type { ScoredItem } from '../../../../src/client/shapes.ts';
import { ItemTile } from '../../components/item-tile.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t } from '../../i18n/text.ts';

const shownAtMost = 24;

/** A row of items with their scores, which scrolls sideways. */
export function AffectedItems({ items, threshold }: { items: readonly ScoredItem[]; threshold: number }) {
  return (
    <ul className="flex gap-2 overflow-x-auto pb-2 empty:hidden">
      {items.slice(0, shownAtMost).map((item) => (
        <li key={item.item_id} className="w-24 shrink-0">
          <ItemTile item={item}>
            <span className="block px-1.5 pb-1 text-xs font-semibold tabular-nums">
              {scoreText(item.score, threshold, 3)}
            </span>
          </ItemTile>
        </li>
      ))}
      {items.length > shownAtMost && (
        <li className="flex shrink-0 items-center px-3 text-ink-soft">
          {t('andMore', { n: items.length - shownAtMost })}
        </li>
      )}
    </ul>
  );
}
