import type { TrainingImage } from '../../jobs/compute/training-messages.ts';
import type { ItemDetails } from '../items/item-rows.ts';

/** One image of a judged item, as the engine learns from it. */
export function sampleOf(item: ItemDetails, imageName: string): TrainingImage {
  const blob = item.images.find(({ name }) => name === imageName)?.blob;
  const isFirst = item.images[0]?.name === imageName;
  return {
    itemId: item.item.item_id,
    name: item.images.length > 1 ? `${item.item.name}/${imageName}` : item.item.name,
    good: item.item.user_result === 'OK',
    regions: item.annotations
      .filter((region) => (region.image === null ? isFirst : region.image === imageName))
      .map((region) => ({
        xMin: region.x_min,
        yMin: region.y_min,
        xMax: region.x_max,
        yMax: region.y_max,
        label: region.label,
      })),
    ...(blob === undefined ? {} : { content: blob }),
  };
}
