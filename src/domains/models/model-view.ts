import { say, statusView, storeMessages } from '../../messages/message.ts';
import type { ModelRow } from '../../storage/database.ts';
import type { PreprocessingStep } from '../../vision/types.ts';
import type { SignedUrls } from '../files/signed-urls.ts';
import type { Confusion } from './model.store.ts';
import type { ModelView } from './models.schemas.ts';

/** The origin of a model that was refined from another one. */
export interface Refinement {
  readonly parentId: string;
  /** The corrected items. */
  readonly itemIds: readonly string[];
  /** The model becomes active when it is ready, where its parent is active then. */
  readonly activate: boolean;
}

export function findRefinement({ refinement }: Pick<ModelRow, 'refinement'>): Refinement | undefined {
  return refinement === null ? undefined : (JSON.parse(refinement) as Refinement);
}

/** The columns of a model that waits for its training. */
export const untrainedModel = {
  status: 'queued' as const,
  status_text: storeMessages([say('status.waiting')]),
  active: 0,
  image_blob: null,
  training_time: null,
  accuracy: null,
  precision: null,
  recall: null,
  calibration: null,
  model_blob: null,
  backbone_id: null,
  backbone_blob: null,
  backbone_description: null,
  callback_url: null,
  callback_method: null,
};

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Turns a row into the contract's Model. */
export function createModelView(urls: SignedUrls): (row: ModelRow, verdicts: Confusion | undefined) => ModelView {
  return (row, verdicts) => {
    const { truePositives = 0, falsePositives = 0, falseNegatives = 0 } = verdicts ?? {};
    const refinement = findRefinement(row);
    return {
      model_id: row.model_id,
      name: row.name,
      algorithm_id: row.algorithm_id,
      algorithm_type: row.algorithm_type,
      version: String(row.version),
      context_id: row.context_id,
      status: row.status,
      ...statusView(row.status_text),
      active: row.active === 1,
      image_url: row.image_blob === null ? null : urls.sign('thumbnail', row.image_blob, 'webp'),
      ok_img_count: row.ok_img_count,
      ng_img_count: row.ng_img_count,
      training_time: row.training_time,
      precision: row.precision,
      recall: row.recall,
      stats: {
        accuracy: row.accuracy,
        precision: { projected: row.precision, computed: ratio(truePositives, truePositives + falsePositives) },
        recall: { projected: row.recall, computed: ratio(truePositives, truePositives + falseNegatives) },
      },
      created_at: row.created_at,
      updated_at: row.updated_at,
      parent_id: refinement?.parentId ?? null,
      parameters: JSON.parse(row.params) as Record<string, unknown>,
      preprocessing: (JSON.parse(row.steps) as PreprocessingStep[]).map(({ name, config }) => ({
        name,
        config: JSON.stringify(config),
      })),
      taught_item_ids: [...(refinement?.itemIds ?? [])],
      predict_parameters: {
        threshold: row.threshold,
        ignore_outer: row.ignore_outer,
        min_detected_area: row.min_detected_area,
      },
    };
  };
}
