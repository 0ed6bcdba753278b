import type { ComputePool } from '../../jobs/compute/compute-pool.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { ItemRow } from '../../storage/database.ts';
import type { UnusableImage } from '../../vision/image/unusable-image.ts';
import { getAlgorithm } from '../algorithms/algorithms.service.ts';
import type { AnnotationsService } from '../annotations/annotations.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import { countLearnedItems, findOddities, type TrainingImage } from './find-oddities.ts';
import type { ReadinessView } from './training.schemas.ts';
import { groupByVerdict } from './training-plan.ts';

export type ReadinessService = ReturnType<typeof createReadinessService>;

const odditiesShown = 50;
/** Images that are decoded: a set without contrast shows in any few of them. */
const imagesDecoded = 12;

export function createReadinessService(dependencies: {
  items: ItemsService;
  annotations: AnnotationsService;
  blobs: Pick<BlobStore, 'get'>;
  pool: Pick<ComputePool, 'findUnusable'>;
}) {
  const { items, annotations } = dependencies;
  return {
    /** What a training with these items would learn from, and what is unusual about them. */
    async checkReadiness(algorithmId: string, requested: readonly string[] | undefined): Promise<ReadinessView> {
      getAlgorithm(algorithmId);
      const ids = requested === undefined ? await items.listActiveTrainingIds() : [...new Set(requested)];
      const found = requested === undefined ? await items.findItems(ids) : await items.requireItems(ids);
      const { good, defective, unjudged } = groupByVerdict(found);
      const images = await loadImages(items, [...good, ...defective]);
      const learned = countLearnedItems(images);
      return {
        good: good.length,
        ng: defective.length,
        unjudged: unjudged.length,
        images: images.length,
        // The conformal quantile is read off n held-out scores, one for each item, down to a rate of 1 / (n + 1).
        supported_false_alarm_rate: learned === 0 ? null : 1 / (learned + 1),
        regions: await annotations.countRegions(defective.map((item) => item.item_id)),
        oddities: findOddities(images, odditiesShown, await findUnusable(dependencies, images)),
      };
    },
  };
}

/** Why nothing can be learned from some of the decoded images, by hash. */
async function findUnusable(
  { blobs, pool }: Pick<Parameters<typeof createReadinessService>[0], 'blobs' | 'pool'>,
  images: readonly TrainingImage[],
): Promise<Map<string, UnusableImage | undefined>> {
  const distinct = [...new Set(images.filter(({ good }) => good).map(({ blob }) => blob))].slice(0, imagesDecoded);
  const reasons = await Promise.all(distinct.map(async (blob) => pool.findUnusable(await blobs.get(blob))));
  return new Map(distinct.map((blob, index) => [blob, reasons[index]]));
}

async function loadImages(items: ItemsService, assessed: readonly ItemRow[]): Promise<TrainingImage[]> {
  const byId = new Map(assessed.map((item) => [item.item_id, item]));
  const rows = await items.findImages([...byId.keys()]);
  return rows.flatMap(({ item_id: itemId, blob, width, height }) => {
    const item = byId.get(itemId);
    return item ? [{ itemId, itemName: item.name, good: item.user_result === 'OK', blob, width, height }] : [];
  });
}
