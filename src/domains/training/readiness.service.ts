import type { AlgorithmsService } from '../algorithms/algorithms.service.ts';
import type { AnnotationsService } from '../annotations/annotations.service.ts';
import type { ItemRow } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import { findOddities, type TrainingImage } from './find-oddities.ts';
import type { ReadinessView } from './readiness.schemas.ts';

export interface ReadinessService {
  /** What a training with these items would learn from, and what looks odd about them. */
  checkReadiness(algorithmId: string, itemIds: readonly string[] | undefined): Promise<ReadinessView>;
}

const odditiesShown = 50;

export function createReadinessService(parts: {
  items: ItemsService;
  algorithms: AlgorithmsService;
  annotations: AnnotationsService;
}): ReadinessService {
  const { items, algorithms, annotations } = parts;
  return {
    async checkReadiness(algorithmId, requested) {
      algorithms.getAlgorithm(algorithmId);
      const ids = requested === undefined ? await items.listActiveTrainingIds() : [...new Set(requested)];
      const found = requested === undefined ? await items.findItems(ids) : await items.requireItems(ids);
      const judged = found.filter((item) => item.user_result !== null);
      const images = await loadImages(items, judged);
      const goodImages = images.filter((image) => image.good).length;
      const defective = judged.filter((item) => item.user_result === 'NG').map((item) => item.item_id);
      return {
        good: judged.length - defective.length,
        ng: defective.length,
        unjudged: found.length - judged.length,
        images: images.length,
        // The conformal quantile is read off n held-out scores down to a rate of 1 / (n + 1).
        supported_false_alarm_rate: goodImages === 0 ? null : 1 / (goodImages + 1),
        regions: await annotations.countRegions(defective),
        oddities: findOddities(images, odditiesShown),
      };
    },
  };
}

async function loadImages(items: ItemsService, judged: readonly ItemRow[]): Promise<TrainingImage[]> {
  const byId = new Map(judged.map((item) => [item.item_id, item]));
  const rows = await items.findImages([...byId.keys()]);
  return rows.flatMap((row) => {
    const item = byId.get(row.item_id);
    if (!item) return [];
    return [
      {
        itemId: item.item_id,
        itemName: item.name,
        good: item.user_result === 'OK',
        blob: row.blob,
        width: row.width,
        height: row.height,
      },
    ];
  });
}
