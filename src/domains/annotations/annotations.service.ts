import { type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Db } from '../../storage/database.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { ItemDetails } from '../items/item.store.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { LabelsService } from '../labels/labels.service.ts';
import type { AnnotationStore } from './annotation.store.ts';
import type { AnnotateInput, AssessItemsInput, ItemVerdictInput, NewAnnotationInput } from './annotations.schemas.ts';

export type AnnotationsService = ReturnType<typeof createAnnotationsService>;

export function createAnnotationsService(dependencies: {
  db: Db;
  audit: AuditService;
  store: AnnotationStore;
  items: ItemsService;
  labels: LabelsService;
}) {
  const { db, audit, store, items, labels } = dependencies;

  /** The columns of a person's verdict; `good` null: nobody has judged the item. */
  const verdictColumns = async ({ good, annotations }: Omit<ItemVerdictInput, 'item_id'>, at: string) => {
    if (good === null) return { user_result: null, user_label: null, user_assessed_at: null };
    const label = good ? 'good' : await labels.nameVerdict(annotations.flatMap((region) => region.label ?? []));
    return { user_result: good ? ('OK' as const) : ('NG' as const), user_label: label, user_assessed_at: at };
  };

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
      const columns = await verdictColumns({ good, annotations }, at);
      await db.transaction().execute(async (trx) => {
        await items.requireItems([itemId], trx);
        await store.deleteAnnotations(trx, [itemId]);
        await store.insertAnnotations(trx, toRows(itemId, annotations, at));
        await items.updateItems(trx, [itemId], columns);
        await audit.record(trx, 'item.annotate', [verdictEntry(itemId, columns, annotations.length)]);
      });
    },

    /** Each item gets its own verdict and regions: all or none. @returns the ids. */
    async setVerdicts(verdicts: readonly ItemVerdictInput[]): Promise<string[]> {
      const itemIds = verdicts.map((verdict) => verdict.item_id);
      const details = await items.findDetails(itemIds);
      const problems = verdicts.flatMap((verdict, index) =>
        checkOne(verdict, index, details, itemIds.indexOf(verdict.item_id) !== index),
      );
      if (problems.length > 0) throw fieldErrors('invalid-request', problems);
      const at = new Date().toISOString();
      const columns = await Promise.all(verdicts.map((verdict) => verdictColumns(verdict, at)));
      await db.transaction().execute(async (trx) => {
        await items.requireItems(itemIds, trx);
        await store.deleteAnnotations(trx, itemIds);
        const rows = verdicts.flatMap(({ item_id, annotations }) => toRows(item_id, annotations, at));
        await store.insertAnnotations(trx, rows);
        for (const [index, change] of columns.entries()) await items.updateItems(trx, [itemIds[index] ?? ''], change);
        const entries = verdicts.map((verdict, index) =>
          verdictEntry(verdict.item_id, columns[index], verdict.annotations.length),
        );
        await audit.record(trx, 'item.assess', entries);
      });
      return itemIds;
    },

    /** One verdict, or one use, for many items: all or none. @returns the ids, each once. */
    async assessItems({
      item_ids: itemIds,
      good,
      is_training_data: isTraining,
      active,
      show_previous: showPrevious,
    }: AssessItemsInput): Promise<{ item_ids: string[]; previous?: ItemVerdictInput[] }> {
      if (good === undefined && isTraining === undefined && active === undefined) {
        throw fieldError('invalid-request', 'good', say('item.good-or-use'));
      }
      const distinct = [...new Set(itemIds)];
      const change = {
        ...(isTraining === undefined ? {} : { is_training: isTraining ? 1 : 0 }),
        ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      };
      const given = { ...(good === undefined ? {} : { result: good ? 'OK' : 'NG' }), ...change };
      const previous = await db.transaction().execute(async (trx) => {
        const found = await items.requireItems(distinct, trx);
        const before = showPrevious ? (await items.findDetails(distinct, undefined, trx)).map(verdictOf) : undefined;
        if (Object.keys(change).length > 0) await items.updateItems(trx, distinct, change);
        if (isTraining === true) await items.requireImages(distinct, trx);
        const record = () =>
          audit.record(
            trx,
            'item.assess',
            distinct.map((id) => ({ id, details: given })),
          );
        if (good === undefined) {
          await record();
          return before;
        }
        const user_assessed_at = new Date().toISOString();
        if (good) {
          await items.updateItems(trx, distinct, { user_result: 'OK', user_label: 'good', user_assessed_at });
          await store.deleteAnnotations(trx, distinct);
          await record();
          return before;
        }
        // Items that are NG already keep the name of their defect.
        const news = found.filter((item) => item.user_result !== 'NG').map((item) => item.item_id);
        await items.updateItems(trx, news, { user_result: 'NG', user_label: 'defect', user_assessed_at });
        await record();
        return before;
      });
      return { item_ids: distinct, ...(previous ? { previous } : {}) };
    },
  };
}

/** A verdict for the audit trail. */
function verdictEntry(
  id: string,
  columns: { user_result: string | null; user_label: string | null } | undefined,
  regions: number,
) {
  return { id, details: { result: columns?.user_result, label: columns?.user_label, regions } };
}

/** The verdict of a person that the item has now. */
function verdictOf({ item, annotations }: ItemDetails): ItemVerdictInput {
  return {
    item_id: item.item_id,
    good: item.user_result === null ? null : item.user_result === 'OK',
    annotations: annotations.map(({ x_min, x_max, y_min, y_max, label, notes, image }) => ({
      ...{ x_min, x_max, y_min, y_max, label, notes },
      ...(image === null ? {} : { image }),
    })),
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

/** @param isRepeated whether an earlier verdict of the request is on the same item */
function checkOne(
  { item_id: itemId, good, annotations }: ItemVerdictInput,
  index: number,
  details: readonly ItemDetails[],
  isRepeated: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (isRepeated) problems.push({ key: 'item_id', errors: [say('annotations.item-twice', { id: itemId })] });
  if (good !== false && annotations.length > 0)
    problems.push({ key: 'good', errors: [say('annotations.only-ng', { received: String(good) })] });
  // An item that does not exist is told by its id, as everywhere.
  const known = details.find(({ item }) => item.item_id === itemId);
  if (known) problems.push(...annotations.flatMap((region, at) => checkRegion(region, at, known)));
  return problems.map(({ key, errors }) => ({ key: `verdicts.${index}.${key}`, errors }));
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
