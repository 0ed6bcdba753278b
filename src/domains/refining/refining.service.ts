import { uuidv7 } from 'uuidv7';
import { AppError } from '../../errors.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { say } from '../../messages/message.ts';
import type { Db, ItemRow, ModelRow } from '../../storage/database.ts';
import { algorithms, findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelView } from '../models/models.schemas.ts';
import { type ModelsService, trainingKey } from '../models/models.service.ts';
import type { Refinement } from '../models/refinement.ts';
import { untrainedModel } from '../models/untrained-model.ts';
import type { RefineRequestInput } from './refining.schemas.ts';
import type { RefiningStore } from './refining.store.ts';

export interface RefiningService {
  /** Makes a queued model, a new version of the other; what it is taught is worked out in the background. */
  refine(modelId: string, request: RefineRequestInput): Promise<ModelView>;
}

/** Items taught at a time. */
const mostItems = 200;

export function createRefiningService(parts: {
  db: Db;
  items: ItemsService;
  models: ModelsService;
  store: RefiningStore;
  queue: JobQueue;
  checkLicense: () => Promise<void>;
}): RefiningService {
  const { db, items, models, store, queue } = parts;
  return {
    async refine(modelId, request) {
      await parts.checkLicense();
      const parent = await models.requireModel(modelId);
      if (parent.status !== 'ready')
        throw new AppError('model-state-conflict', { id: parent.model_id, status: parent.status });
      checkAlgorithm(parent.algorithm_id);
      const ids = request.item_ids ?? (await store.listDisagreements(parent.model_id, parent.created_at, mostItems));
      const taught = checkItems(await items.requireItems(ids));
      const members = await models.listTrainingItemIds(parent.model_id);
      const childId = uuidv7();
      await db.transaction().execute(async (trx) => {
        const version = await models.nextVersion(trx, parent.algorithm_id, parent.context_id);
        const refinement: Refinement = { parentId: parent.model_id, itemIds: ids, activate: request.activate ?? true };
        const row = { ...childOf(parent, version, request.name), model_id: childId };
        await models.insertModel(trx, { ...row, refinement: JSON.stringify(refinement) }, [
          ...new Set([...members, ...taught.map((item) => item.item_id)]),
        ]);
        await queue.enqueue(trx, { kind: 'refine', payload: { modelId: childId }, key: trainingKey(childId) });
      });
      queue.wake();
      return models.getModelView(childId);
    },
  };
}

function checkAlgorithm(algorithmId: string): void {
  if (findAlgorithm(algorithmId)) return;
  const known = algorithms.map(({ id }) => id).join(', ');
  throw new AppError('refining-not-supported', { algorithm: algorithmId, known });
}

function checkItems(found: ItemRow[]): ItemRow[] {
  if (found.length === 0) {
    const reason = say('refining.nothing-judged');
    throw new AppError('nothing-to-teach', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
  }
  const unjudged = found.filter((item) => item.user_result === null);
  if (unjudged.length === 0) return found;
  const problems = unjudged.slice(0, 20).map(({ item_id }) => ({
    key: 'item_ids',
    errors: [say('item.unjudged', { id: item_id })],
  }));
  const reason = problems.flatMap(({ errors }) => errors);
  throw new AppError('nothing-to-teach', { reason }, { problems });
}

/** Its parent's parameters and limits, without what only a finished model has. */
function childOf({ seq: _, ...parent }: ModelRow, version: number, name: string | undefined): Omit<ModelRow, 'seq'> {
  const now = new Date().toISOString();
  const isNumbered = parent.name === `${parent.algorithm_id} v${parent.version}`;
  return {
    ...parent,
    name: name ?? (isNumbered ? `${parent.algorithm_id} v${version}` : parent.name),
    version,
    // Without its callback: deliveries would be signed with a secret that the receiver does not know.
    ...untrainedModel,
    created_at: now,
    updated_at: now,
  };
}
