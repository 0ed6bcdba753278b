import { say } from '../../messages/message.ts';
import type { ItemRow } from '../../storage/database.ts';
import { getAlgorithm } from '../algorithms/algorithms.service.ts';
import type { BackboneCatalogue } from '../algorithms/backbone-catalogue.ts';
import type { AnnotationsService } from '../annotations/annotations.service.ts';
import type { ItemsService } from '../items/items.service.ts';
import type { ModelView } from '../models/models.schemas.ts';
import type { ModelsService } from '../models/models.service.ts';
import type { TargetsService } from '../targets/targets.service.ts';
import type { TrainRequestInput } from './training.schemas.ts';
import { insufficientTrainingData, planItems, planParameters } from './training-plan.ts';

export type TrainingService = ReturnType<typeof createTrainingService>;

export function createTrainingService(dependencies: {
  items: ItemsService;
  annotations: AnnotationsService;
  models: ModelsService;
  targets: TargetsService;
  backbones: BackboneCatalogue;
  checkLicense: () => Promise<void>;
}) {
  const { items, annotations, models, targets, backbones } = dependencies;

  const requireRegions = async (chosen: readonly ItemRow[]): Promise<void> => {
    const defective = chosen.filter((item) => item.user_result === 'NG').map((item) => item.item_id);
    if ((await annotations.countRegions(defective)).length > 0) return;
    throw insufficientTrainingData(say('training.no-rectangle'));
  };

  return {
    /** Makes a queued model; the training itself runs in the background. */
    async train(algorithmId: string, request: TrainRequestInput): Promise<ModelView> {
      await dependencies.checkLicense();
      const algorithm = getAlgorithm(algorithmId);
      const params = planParameters(algorithm, request.override_params);
      await backbones.getBackbone(String(params['backbone'] ?? 'kensa'));
      const explicit = request.item_ids !== undefined;
      const requested = request.item_ids ?? (await items.listActiveTrainingIds());
      const chosen = planItems(algorithm, requested, await items.findItems(requested), explicit);
      if (algorithm.type === 'object_detection') await requireRegions(chosen);
      const steps = await targets.getTrainingSteps();
      const now = new Date().toISOString();
      const itemIds = chosen.map((item) => item.item_id);
      return models.queueModel('train', { algorithmId, targetId: steps.targetId, itemIds }, (version) => ({
        name: request.name ?? `${algorithm.id} v${version}`,
        algorithm_id: algorithm.id,
        algorithm_type: algorithm.type,
        context_id: steps.targetId,
        params: JSON.stringify(params),
        steps: JSON.stringify(steps.steps),
        step_references: JSON.stringify(steps.references),
        seed: Number(params['seed'] ?? 0),
        ok_img_count: 0,
        ng_img_count: 0,
        threshold: 0.5,
        ignore_outer: 'none',
        min_detected_area: 0,
        refinement: null,
        created_at: now,
        updated_at: now,
      }));
    },
  };
}
