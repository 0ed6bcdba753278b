import { AppError, type FieldProblem, fieldError, fieldErrors } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Db } from '../../storage/database.ts';
import { findReferences, steps as stepCatalogue, validateStep } from '../../vision/preprocess/steps.ts';
import type { PreprocessingStep } from '../../vision/types.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { TargetRow, TargetStore } from './target.store.ts';
import type {
  NewTargetInput,
  PreprocessingInput,
  PreviewRequestInput,
  TargetChangesInput,
  TargetView,
} from './targets.schemas.ts';

export type TargetsService = ReturnType<typeof createTargetsService>;

export function createTargetsService(dependencies: {
  db: Db;
  audit: AuditService;
  store: TargetStore;
  items: ItemsService;
  blobs: BlobStore;
  /** WebP of an image after steps; `references` are image files by key. */
  render: (
    image: Uint8Array,
    steps: readonly PreprocessingStep[],
    references: Readonly<Record<string, Uint8Array>>,
  ) => Promise<Uint8Array>;
}) {
  const { db, audit, store, items, blobs } = dependencies;

  const requireTarget = async (targetId: string): Promise<TargetRow> => {
    const target = /^\d{1,9}$/.test(targetId) ? await store.findTarget(Number(targetId)) : undefined;
    if (!target) throw new AppError('target-not-found', { id: targetId });
    return target;
  };

  /** @throws AppError `invalid-request` where there is no such target. */
  const requireNamed = async (targetId: number): Promise<TargetRow> => {
    const target = await store.findTarget(targetId);
    if (target) return target;
    throw fieldError('invalid-request', 'target_id', say('station.no-target', { id: targetId }));
  };

  /** Reference images that the target has kept outlive their items. */
  const blobFinder = (kept: Record<string, string>) => async (itemId: string) => {
    const [details] = await items.findDetails([itemId]);
    const blob = details?.item.images_removed_at === null ? details.images[0]?.blob : undefined;
    // Written again: for an hour from now, retention does not delete it before the target refers to it.
    if (blob !== undefined && blob !== kept[itemId]) await blobs.put(await blobs.get(blob));
    return blob ?? kept[itemId];
  };

  const planRow = (target: TargetRow): Promise<PlannedSteps> =>
    planSteps(stepsOf(target), async (itemId) => referencesOf(target)[itemId]);

  /** WebP of an image file after the steps; without `given`: those of the target. */
  const previewImage = async (
    targetId: string,
    image: Uint8Array,
    given: readonly PreprocessingInput[] | undefined,
  ): Promise<Uint8Array> => {
    const target = await requireTarget(targetId);
    const plan = given ? planSteps(given, blobFinder(referencesOf(target))) : planRow(target);
    const { steps, references } = await plan;
    const files: Record<string, Uint8Array> = {};
    for (const [key, blob] of Object.entries(references)) files[key] = await blobs.get(blob);
    return dependencies.render(image, steps, files);
  };

  return {
    listTargets: async () => (await store.listTargets()).map(view),
    getTarget: async (targetId: string) => view(await requireTarget(targetId)),

    requireNamed,

    /** @throws AppError naming each bad field of the steps. */
    async createTarget({ name, preprocessing = [] }: NewTargetInput): Promise<TargetView> {
      const { references } = await planSteps(preprocessing, blobFinder({}));
      const now = new Date().toISOString();
      return db.transaction().execute(async (trx) => {
        const row = await store.insertTarget(trx, {
          name: name.trim(),
          preprocessing: JSON.stringify(preprocessing),
          step_references: JSON.stringify(references),
          is_default: 0,
          created_at: now,
          updated_at: now,
        });
        await audit.record(trx, 'target.add', [{ id: row.target_id, details: { name: row.name, preprocessing } }]);
        return view(row);
      });
    },

    async updateTarget(targetId: string, input: TargetChangesInput): Promise<TargetView> {
      const target = await requireTarget(targetId);
      const preprocessing = input.preprocessing ?? stepsOf(target);
      const { references } = await planSteps(preprocessing, blobFinder(referencesOf(target)));
      const name = input.name?.trim() ?? target.name;
      return db.transaction().execute(async (trx) => {
        const updated = await store.updateTarget(trx, target.target_id, {
          name,
          preprocessing: JSON.stringify(preprocessing),
          step_references: JSON.stringify(references),
          updated_at: new Date().toISOString(),
        });
        if (!updated) throw new AppError('target-not-found', { id: targetId });
        await audit.record(trx, 'target.change', [{ id: target.target_id, details: { name, preprocessing } }]);
        return view(updated);
      });
    },

    /** @throws AppError `target-in-use` for the default target, and for one that items are of. */
    async deleteTarget(targetId: string): Promise<number> {
      const target = await requireTarget(targetId);
      await db.transaction().execute(async (trx) => {
        if (!(await store.deleteTarget(trx, target.target_id)))
          throw new AppError('target-in-use', { id: targetId, reason: say('target.is-default') });
        if (await items.isTargetUsed(target.target_id, trx))
          throw new AppError('target-in-use', { id: targetId, reason: say('target.has-items') });
        await audit.record(trx, 'target.delete', [{ id: target.target_id, details: { name: target.name } }]);
      });
      return target.target_id;
    },

    async setDefaultTarget(targetId: string): Promise<TargetView> {
      const target = await requireTarget(targetId);
      await db.transaction().execute(async (trx) => {
        await store.setDefaultTarget(trx, target.target_id, new Date().toISOString());
        await audit.record(trx, 'target.default', [{ id: target.target_id, details: { name: target.name } }]);
      });
      return view({ ...target, is_default: 1 });
    },

    listSteps: () =>
      stepCatalogue.map(({ name, title, help, schema, example }) => ({
        name,
        title,
        help,
        schema,
        example: JSON.stringify(example),
      })),

    /** WebP of an item's image after the steps. */
    async previewItem(targetId: string, request: PreviewRequestInput): Promise<Uint8Array> {
      await requireTarget(targetId);
      const { item, images } = await items.getItem(request.item_id);
      if (item.images_removed_at !== null) throw new AppError('images-removed', { ids: item.item_id });
      const image = request.image === undefined ? images[0] : images.find(({ name }) => name === request.image);
      if (!image) {
        const allowed = images.map(({ name }) => name);
        const problem = say('field.one-of', { allowed, received: `"${request.image}"` });
        throw fieldError('invalid-request', 'image', problem);
      }
      return previewImage(targetId, await blobs.get(image.blob), request.preprocessing);
    },

    previewImage,

    /**
     * The active steps of the target, and the blobs of their reference images by key, for a model to keep.
     * @param targetId undefined: the default target
     */
    async getTrainingSteps(targetId?: number) {
      const target = targetId === undefined ? await store.getDefaultTarget() : await requireNamed(targetId);
      const { steps, references } = await planRow(target);
      return { targetId: target.target_id, steps, references };
    },
  };
}

function stepsOf(row: TargetRow): PreprocessingInput[] {
  return JSON.parse(row.preprocessing) as PreprocessingInput[];
}

function referencesOf(row: TargetRow): Record<string, string> {
  return JSON.parse(row.step_references) as Record<string, string>;
}

function view(row: TargetRow): TargetView {
  return {
    target_id: row.target_id,
    name: row.name,
    preprocessing: stepsOf(row),
    is_default: row.is_default === 1,
  };
}

interface PlannedSteps {
  /** Active ones, configs complete. */
  readonly steps: PreprocessingStep[];
  /** Blobs of the reference images, by the item id that the steps name. */
  readonly references: Record<string, string>;
}

/**
 * Checks steps as they come from a person; inactive ones are checked too.
 * @param findBlob the blob of the first image of an item; undefined where there is no such item
 * @throws AppError `invalid-request` naming each bad field.
 */
async function planSteps(
  given: readonly PreprocessingInput[],
  findBlob: (itemId: string) => Promise<string | undefined>,
): Promise<PlannedSteps> {
  const problems: FieldProblem[] = [];
  const steps: PreprocessingStep[] = [];
  const references: Record<string, string> = {};
  for (const [index, { name, config, active }] of given.entries()) {
    const complain = (field: string, error: Message) =>
      problems.push({ key: `preprocessing.${index}.${field}`, errors: [error] });
    const validated = validateStep(name, config ?? null);
    if (!validated.ok) {
      for (const { field, message } of validated.issues) complain(fieldOf(field), message);
      continue;
    }
    const step = { name, config: validated.config };
    for (const itemId of findReferences([step])) {
      const blob = references[itemId] ?? (await findBlob(itemId));
      if (blob === undefined) complain('config.reference', say('target.no-reference', { item: itemId }));
      else references[itemId] = blob;
    }
    if (active !== false) steps.push(step);
  }
  if (problems.length === 0) return { steps, references };
  throw fieldErrors('invalid-request', problems);
}

function fieldOf(field: string): string {
  return field === 'name' || field === 'config' ? field : `config.${field}`;
}
