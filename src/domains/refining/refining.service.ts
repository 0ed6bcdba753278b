import { AppError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { ItemRow } from '../../storage/database.ts';
import { algorithms, findAlgorithm } from '../../vision/algorithms/catalogue.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { Refinement } from '../models/model-row.ts';
import type { ModelView } from '../models/models.schemas.ts';
import type { ModelsService } from '../models/models.service.ts';
import { describeItems, groupByVerdict } from '../training/training-plan.ts';
import type { RefineRequestInput } from './refining.schemas.ts';
import type { RefiningStore } from './refining.store.ts';

export type RefiningService = ReturnType<typeof createRefiningService>;

/** Corrections of one refinement. */
const MOST_ITEMS = 200;

export function createRefiningService(dependencies: {
  items: ItemsService;
  models: ModelsService;
  store: RefiningStore;
  checkLicense: () => Promise<void>;
}) {
  const { items, models, store } = dependencies;
  return {
    /** Makes a queued model, a new version of the other; the corrections are computed in the background. */
    async refine(modelId: string, request: RefineRequestInput): Promise<ModelView> {
      await dependencies.checkLicense();
      const { seq: _, ...parent } = await models.requireModel(modelId);
      const { model_id: parentId, algorithm_id: algorithmId, context_id: targetId } = parent;
      if (parent.status !== 'ready')
        throw new AppError('model-state-conflict', { id: parentId, status: parent.status });
      checkAlgorithm(algorithmId);
      const ids = request.item_ids ?? (await store.listDisagreements(parentId, parent.created_at, MOST_ITEMS));
      checkItems(await items.requireItems(ids));
      const itemIds = [...new Set([...(await models.listTrainingItemIds(parentId)), ...ids])];
      const refinement: Refinement = { parentId, itemIds: ids, activate: request.activate ?? true };
      const isNumbered = parent.name === `${algorithmId} v${parent.version}`;
      const now = new Date().toISOString();
      // The callback is not inherited: deliveries would be signed with a secret that the receiver does not know.
      return models.queueModel('refine', { algorithmId, targetId, itemIds }, (version) => ({
        ...parent,
        name: request.name ?? (isNumbered ? `${algorithmId} v${version}` : parent.name),
        refinement: JSON.stringify(refinement),
        created_at: now,
        updated_at: now,
      }));
    },
  };
}

function checkAlgorithm(algorithmId: string): void {
  if (findAlgorithm(algorithmId)) return;
  const known = algorithms.map(({ id }) => id).join(', ');
  throw new AppError('refining-not-supported', { algorithm: algorithmId, known });
}

function checkItems(found: readonly ItemRow[]): void {
  if (found.length === 0) {
    const reason = say('refining.nothing-judged');
    throw new AppError('nothing-to-teach', { reason }, { problems: [{ key: 'item_ids', errors: [reason] }] });
  }
  const unjudged = groupByVerdict(found).unjudged.map((item) => item.item_id);
  if (unjudged.length === 0) return;
  const problems = describeItems(unjudged, 'item.unjudged');
  const reason = problems.flatMap(({ errors }) => errors);
  throw new AppError('nothing-to-teach', { reason }, { problems });
}
