import { type UnusableImage, unusableSize } from '../../vision/image/unusable-image.ts';
import type { TrainingOddity } from './training.schemas.ts';

/** One image of a training set, with the verdict of its item. */
export interface TrainingImage {
  readonly itemId: string;
  readonly itemName: string;
  readonly good: boolean;
  /** Hash of the file. */
  readonly blob: string;
  readonly width: number;
  readonly height: number;
}

// A size is the usual one where at least this share of the images has it.
const usualShare = 0.6;

/**
 * What a person should look at before training, the most serious first.
 * @param unusable why nothing can be learned from some of the images, by hash, beyond what their sizes tell.
 */
export function findOddities(
  images: readonly TrainingImage[],
  unusable: ReadonlyMap<string, UnusableImage | undefined> = new Map(),
): TrainingOddity[] {
  const reasons = images.map((image) => unusableSize(image) ?? unusable.get(image.blob));
  const useless = images.flatMap((image, index) => {
    const kind = reasons[index];
    return kind ? [{ kind, item_id: image.itemId, name: image.itemName, other: sizeOf(image) }] : [];
  });
  const usable = images.filter((_, index) => reasons[index] === undefined);
  const { contradictions, duplicates } = findSameImages(usable);
  return [...contradictions, ...useless, ...duplicates, ...findUnusualSizes(usable)];
}

/** The number of good items with at least one image that training learns from: no copy, and of usable size. */
export function countLearnedItems(images: readonly TrainingImage[]): number {
  const firstItems = new Map<string, string>();
  for (const { good, blob, itemId, ...size } of images) {
    if (good && !unusableSize(size) && !firstItems.has(blob)) firstItems.set(blob, itemId);
  }
  return new Set(firstItems.values()).size;
}

const sizeOf = ({ width, height }: TrainingImage): string => `${width} × ${height}`;

function findSameImages(images: readonly TrainingImage[]) {
  const firsts = new Map<string, TrainingImage>();
  const contradictions: TrainingOddity[] = [];
  const duplicates: TrainingOddity[] = [];
  for (const image of images) {
    const first = firsts.get(image.blob);
    if (!first) firsts.set(image.blob, image);
    else if (first.itemId !== image.itemId) {
      const found = { item_id: image.itemId, name: image.itemName, other: first.itemName };
      if (first.good === image.good) duplicates.push({ kind: 'duplicate', ...found });
      else contradictions.push({ kind: 'contradiction', ...found });
    }
  }
  return { contradictions, duplicates };
}

function findUnusualSizes(images: readonly TrainingImage[]): TrainingOddity[] {
  const sizes = new Map<string, number>();
  for (const image of images) sizes.set(sizeOf(image), (sizes.get(sizeOf(image)) ?? 0) + 1);
  const [usual] = [...sizes].sort((one, other) => other[1] - one[1]);
  if (!usual || usual[1] < usualShare * images.length) return [];
  return images
    .filter((image) => sizeOf(image) !== usual[0])
    .map((image) => ({ kind: 'size', item_id: image.itemId, name: image.itemName, other: usual[0] }));
}
