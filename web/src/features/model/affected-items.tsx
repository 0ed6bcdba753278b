import { Link } from 'react-router';
import type { ScoredItem } from '../../../../src/client/shapes.ts';
import { localUrl } from '../../api/kensa.ts';
import { Card } from '../../components/card.tsx';
import { useText } from '../../i18n/use-text.ts';

const shownAtMost = 24;

interface AffectedItemsProps {
  title: string;
  items: readonly ScoredItem[];
  className?: string;
}

/** Thumbnails with their scores; each opens its item. */
export function AffectedItems({ title, items, className }: AffectedItemsProps) {
  const t = useText();
  return (
    <Card title={`${title} (${items.length})`} {...(className ? { className } : {})}>
      {items.length === 0 ? (
        <p className="text-ink-soft">{t('noneHere')}</p>
      ) : (
        <ul className="flex gap-2 overflow-x-auto pb-2">
          {items.slice(0, shownAtMost).map((item) => (
            <li key={item.item_id} className="shrink-0">
              <Link
                to={`/items/${item.item_id}?type=prediction`}
                title={item.name}
                className="block w-24 overflow-hidden rounded-md border border-line"
              >
                <img
                  src={item.thumbnail_url ? localUrl(item.thumbnail_url) : undefined}
                  alt={item.name}
                  loading="lazy"
                  className="aspect-square w-full bg-[#0b1013] object-contain"
                />
                <span className="block truncate px-1.5 pt-1 text-xs">{item.name}</span>
                <span className="block px-1.5 pb-1 text-xs font-semibold tabular-nums">{item.score.toFixed(3)}</span>
              </Link>
            </li>
          ))}
          {items.length > shownAtMost && (
            <li className="flex shrink-0 items-center px-3 text-ink-soft">
              {t('andMore', { n: items.length - shownAtMost })}
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
