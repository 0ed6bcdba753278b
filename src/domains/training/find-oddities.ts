import type { TrainingOddity } from './readiness.schemas.ts';

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

/** What a person should look at before training: found from sizes and hashes alone, without decoding. */
export function findOddities(images: readonly TrainingImage[], limit: number): TrainingOddity[] {
  return [...findSameImages(images), ...findUnusualSizes(images)].slice(0, limit);
}

function findSameImages(images: readonly TrainingImage[]): TrainingOddity[] {
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
  return [...contradictions, ...duplicates];
}

function findUnusualSizes(images: readonly TrainingImage[]): TrainingOddity[] {
  const sizes = new Map<string, number>();
  const sizeOf = (image: TrainingImage): string => `${image.width} × ${image.height}`;
  for (const image of images) sizes.set(sizeOf(image), (sizes.get(sizeOf(image)) ?? 0) + 1);
  const [usual] = [...sizes].sort((one, other) => other[1] - one[1]);
  if (!usual || usual[1] < usualShare * images.length) return [];
  return images
    .filter((image) => sizeOf(image) !== usual[0])
    .map((image) => ({ kind: 'size', item_id: image.itemId, name: image.itemName, other: usual[0] }));
}
