import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Item, ModelAssessment, ScoredItem } from '../../../src/client/shapes.ts';
import { localUrl } from '../api/kensa.ts';
import { dateText, t } from '../i18n/text.ts';
import { MiddleTruncated } from './middle-truncated.tsx';

/** The address of an item. Its neighbours there are all training items, or all others. */
export const itemPath = (itemId: string, training = false): string =>
  `/items/${itemId}?type=${training ? 'training' : 'prediction'}`;

/** An item as it is listed beside a model. */
type ListedItem = Pick<ScoredItem, 'item_id' | 'name' | 'thumbnail_url'>;

/** The small image of an item, on a dark ground. */
export function Thumbnail({ item, className = '' }: { item: Item | ListedItem; className?: string }) {
  const url = 'images' in item ? (item.images[0]?.thumbnail_url ?? item.images[0]?.url) : item.thumbnail_url;
  if (!url && 'images' in item && item.images_removed_at)
    return (
      <span className={`flex size-full items-center justify-center bg-sunken p-2 text-center text-xs ${className}`}>
        <span className="sr-only">{item.name}</span>
        {t('imageRemoved', { date: dateText(item.images_removed_at) })}
      </span>
    );
  return (
    <img
      src={url ? localUrl(url) : undefined}
      alt={item.name}
      loading="lazy"
      decoding="async"
      draggable={false}
      className={`size-full bg-[#0b1013] object-contain ${className}`}
    />
  );
}

interface ItemTileProps {
  item: Item | ListedItem;
  /** The item is for training, where it does not say so itself. */
  isTraining?: boolean;
  children?: ReactNode;
}

/** Opens the item. */
export function ItemTile({ item, isTraining = false, children }: ItemTileProps) {
  const training = 'is_training_data' in item ? item.is_training_data : isTraining;
  return (
    <Link
      to={itemPath(item.item_id, training)}
      title={item.name}
      className="relative block overflow-hidden rounded-md border border-line"
    >
      <Thumbnail item={item} className="aspect-square" />
      {/* The image has the name already. */}
      <MiddleTruncated text={item.name} aria-hidden="true" className="px-1.5 py-1 text-xs" />
      {children}
    </Link>
  );
}

/** The verdict of this model, else the newest verdict of any model. */
export function shownAssessment(item: Item, modelId: string | undefined): ModelAssessment | undefined {
  const when = (assessment: ModelAssessment): string => assessment.predicted_at ?? '';
  const assessments = item.assessments ?? [];
  const asked = assessments.find((assessment) => assessment.model_id === modelId);
  return asked ?? [...assessments].sort((one, other) => when(other).localeCompare(when(one)))[0];
}
