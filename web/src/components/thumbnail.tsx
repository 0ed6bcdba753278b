import type { Item } from '../../../src/client/shapes.ts';
import { localUrl } from '../api/kensa.ts';
import { classNames } from './class-names.ts';

/** The small picture of an item; on dark ground, as photos of parts are judged best. */
export function Thumbnail({ item, className }: { item: Item; className?: string }) {
  const image = item.images[0];
  return (
    <img
      src={image ? localUrl(image.thumbnail_url ?? image.url) : undefined}
      alt={item.name}
      loading="lazy"
      decoding="async"
      draggable={false}
      className={classNames('size-full bg-[#0b1013] object-contain', className)}
    />
  );
}
