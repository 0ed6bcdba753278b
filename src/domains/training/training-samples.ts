import type { TrainingImage } from '../../jobs/compute/training-messages.ts';
import type { ItemDetails, ItemImageRow } from '../items/item-rows.ts';

/** One image of an item with a person's verdict, as the engine learns from it. */
export function sampleOf(item: ItemDetails, image: ItemImageRow): TrainingImage {
  return {
    itemId: item.item.item_id,
    name: item.images.length > 1 ? `${item.item.name}/${image.name}` : item.item.name,
    good: item.item.user_result === 'OK',
    // A region without an image is on the first one.
    regions: item.annotations
      .filter((region) => (region.image ?? item.images[0]?.name) === image.name)
      .map((region) => ({
        xMin: region.x_min,
        yMin: region.y_min,
        xMax: region.x_max,
        yMax: region.y_max,
        label: region.label,
      })),
    content: image.blob,
  };
}
