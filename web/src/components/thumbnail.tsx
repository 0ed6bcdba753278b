import type { Item, ScoredItem } from '../../../src/client/shapes.ts';
import { localUrl } from '../api/kensa.ts';
import { classNames } from './class-names.ts';

/** The small picture of an item, on a dark ground. */
export function Thumbnail({ item, className }: { item: Item | ScoredItem; className?: string }) {
  const url = 'images' in item ? (item.images[0]?.thumbnail_url ?? item.images[0]?.url) : item.thumbnail_url;
  return (
    <img
      src={url ? localUrl(url) : undefined}
      alt={item.name}
      loading="lazy"
      decoding="async"
      draggable={false}
      className={classNames('size-full bg-[#0b1013] object-contain', className)}
    />
  );
}
