import type { ItemImageRow } from '../items/item-rows.ts';
import type { AssessedImage } from './assess-item.ts';

/** What preprocessing has to say to a person, a line for each image that it is about; undefined: nothing. */
export function describeRemarks(
  assessed: readonly Pick<AssessedImage, 'position' | 'verdict'>[],
  images: readonly Pick<ItemImageRow, 'position' | 'name'>[],
): string | undefined {
  const lines = assessed.flatMap(({ position, verdict: { remarks = [] } }) => {
    const name = images.find((image) => image.position === position)?.name ?? '';
    return remarks.map((remark) => (images.length > 1 ? `${name}: ${remark}` : remark));
  });
  return lines.length > 0 ? lines.join('\n') : undefined;
}
