import { type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import type { AnnotationStore } from './annotation.store.ts';
import type { AnnotateInput, AssessItemsInput, NewAnnotationInput } from './annotations.schemas.ts';

export type AnnotationsService = ReturnType<typeof createAnnotationsService>;

export function createAnnotationsService(dependencies: {
  db: Db;
  store: AnnotationStore;
  items: ItemsService;
  labels: LabelsService;
}) {
  const { db, store, items, labels } = dependencies;
  return {
    /** The regions that people drew on these items, by label. */
    countRegions: store.countRegions,

    /** Replaces the user's regions and verdict of an item. */
    async annotate(itemId: string, input: AnnotateInput): Promise<void> {
      const details = await items.getItem(itemId);
      const annotations = input.annotations ?? [];
      const problems = [...checkVerdict(input), ...annotations.flatMap((region, i) => checkRegion(region, i, details))];
      if (problems.length > 0) throw fieldErrors('invalid-request', problems);
      const good = input.good ?? annotations.length === 0;
      const at = new Date().toISOString();
      const label = good ? 'good' : await labels.nameVerdict(annotations.flatMap((region) => region.label ?? []));
      await db.transaction().execute(async (trx) => {
        await items.requireItems([itemId], trx);
        await store.deleteAnnotations(trx, [itemId]);
        await store.insertAnnotations(trx, toRows(itemId, annotations, at));
        const result = good ? 'OK' : 'NG';
        await items.updateItems(trx, [itemId], { user_result: result, user_label: label, user_assessed_at: at });
      });
    },

    /** One verdict, or one use, for many items: all or none. @returns the ids, each once. */
    async assessItems({
      item_ids: itemIds,
      good,
      is_training_data: isTraining,
      active,
    }: AssessItemsInput): Promise<string[]> {
      if (good === undefined && isTraining === undefined && active === undefined) {
        throw fieldError('invalid-request', 'good', say('item.good-or-use'));
      }
      const distinct = [...new Set(itemIds)];
      const change = {
        ...(isTraining === undefined ? {} : { is_training: isTraining ? 1 : 0 }),
        ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      };
      await db.transaction().execute(async (trx) => {
        const found = await items.requireItems(distinct, trx);
        if (Object.keys(change).length > 0) await items.updateItems(trx, distinct, change);
        if (good === undefined) return;
        const user_assessed_at = new Date().toISOString();
        if (good) {
          await items.updateItems(trx, distinct, { user_result: 'OK', user_label: 'good', user_assessed_at });
          await store.deleteAnnotations(trx, distinct);
          return;
        }
        // Items that are NG already keep the name of their defect.
        const news = found.filter((item) => item.user_result !== 'NG').map((item) => item.item_id);
        await items.updateItems(trx, news, { user_result: 'NG', user_label: 'defect', user_assessed_at });
      });
      return distinct;
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
    complain('image', say('field.one-of', { allowed: names, received: `"${region.image}"` }));
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
