import { say, storeMessages } from '../../messages/message.ts';
import type { ModelRow } from '../../storage/database.ts';

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
