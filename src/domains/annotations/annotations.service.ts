import { type FieldProblem, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item-rows.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import type { AnnotationStore, RegionCount } from './annotation.store.ts';
import type { AnnotateInput, NewAnnotationInput } from './annotations.schemas.ts';

export interface AnnotationsService {
  /** Replaces the user's regions and verdict of an item. */
  annotate(itemId: string, input: AnnotateInput): Promise<void>;
  /** What people drew on these items, by label. */
  countRegions(itemIds: readonly string[]): Promise<RegionCount[]>;
}

export function createAnnotationsService(parts: {
  db: Db;
  store: AnnotationStore;
  items: ItemsService;
  labels: LabelsService;
}): AnnotationsService {
  return {
    countRegions: (itemIds) => parts.store.countRegions(itemIds),
    async annotate(itemId, input) {
      const details = await parts.items.getItem(itemId);
      const annotations = input.annotations ?? [];
      const problems = [...checkVerdict(input), ...annotations.flatMap((region, i) => checkRegion(region, i, details))];
      if (problems.length > 0) throw fieldErrors('invalid-request', problems);
      const good = input.good ?? annotations.length === 0;
      const at = new Date().toISOString();
      const label = good ? 'good' : await parts.labels.nameVerdict(annotations.flatMap((region) => region.label ?? []));
      await parts.db.transaction().execute(async (trx) => {
        await parts.items.requireItems([itemId], trx);
        await parts.store.replaceAnnotations(trx, itemId, toRows(itemId, annotations, at));
        await parts.items.setUserVerdict(trx, itemId, { result: good ? 'OK' : 'NG', label, at });
      });
    },
  };
}

function toRows(itemId: string, annotations: readonly NewAnnotationInput[], at: string) {
  return annotations.map(({ image, label, notes, ...corners }) => ({
    item_id: itemId,
    ...corners,
    image: image ?? null,
    label: label ?? null,
    notes: notes ?? null,
    created_at: at,
  }));
}

function checkVerdict(input: AnnotateInput): FieldProblem[] {
  if (input.annotations === undefined && input.good === undefined) {
    return [{ key: 'annotations', errors: [say('annotations.required')] }];
  }
  if (input.good === true && (input.annotations ?? []).length > 0) {
    return [{ key: 'good', errors: [say('annotations.good')] }];
  }
  return [];
}

function checkRegion(region: NewAnnotationInput, index: number, { images }: ItemDetails): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const complain = (field: string, error: Message) =>
    problems.push({ key: `annotations.${index}.${field}`, errors: [error] });
  const image = region.image === undefined ? images[0] : images.find((candidate) => candidate.name === region.image);
  if (!image) {
    const names = images.map((one) => one.name);
    complain('image', say('field.not-an-image-of-item', { names, received: `"${region.image}"` }));
    return problems;
  }
  for (const [axis, limit] of [
    ['x', image.width],
    ['y', image.height],
  ] as const) {
    const low = region[`${axis}_min`];
    const high = region[`${axis}_max`];
    if (low >= high) complain(`${axis}_min`, say('annotations.order', { other: `${axis}_max`, low, high }));
    if (low < 0) complain(`${axis}_min`, say('field.minimum', { limit: 0, received: low }));
    if (high > limit) complain(`${axis}_max`, say('annotations.outside', { limit, received: high }));
  }
  return problems;
}
