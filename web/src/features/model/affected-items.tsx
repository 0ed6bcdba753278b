import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ScoredItem } from '../../../../src/client/shapes.ts';
import { itemQuery } from '../../api/queries.ts';
import { ItemTile } from '../../components/item-tile.tsx';
import { scoreText } from '../../components/score-text.ts';
import { t } from '../../i18n/text.ts';
import { AnomalyLayer } from '../viewer/anomaly-layer.tsx';

const shownAtMost = 24;

interface AffectedItemsProps {
  items: readonly ScoredItem[];
  modelId: string;
  threshold: number;
}

/** A row of items, which scrolls sideways, with their scores and what the model outlines at the threshold. */
export function AffectedItems({ items, modelId, threshold }: AffectedItemsProps) {
  return (
    <ul className="flex gap-2 overflow-x-auto pb-2 empty:hidden">
      {items.slice(0, shownAtMost).map((item) => (
        <li key={item.item_id} className="w-24 shrink-0">
          <ItemTile item={item}>
            <TileMap itemId={item.item_id} modelId={modelId} limit={threshold} />
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

/** The inner width of a tile. */
const tilePixels = 94;
/** While the threshold is dragged, tiles come and go: only what stays asks the server for its map. */
const loadAfterMs = 200;

function TileMap({ itemId, modelId, limit }: { itemId: string; modelId: string; limit: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), loadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const item = useQuery({ ...itemQuery(itemId), enabled: isShown, staleTime: 60_000 }).data;
  const [image] = item?.images ?? [];
  const assessment = item?.assessments?.find((one) => one.model_id === modelId);
  const url = assessment?.images?.find((one) => one.name === image?.name)?.map_url;
  if (!image || !url) return null;
  const scale = tilePixels / Math.max(image.width, image.height);
  const view = { scale, x: (tilePixels - scale * image.width) / 2, y: (tilePixels - scale * image.height) / 2 };
  return (
    <span className="pointer-events-none absolute top-0 left-0 block aspect-square w-full">
      <AnomalyLayer url={url} limit={limit} opacity={0.5} size={image} view={view} />
    </span>
  );
}
