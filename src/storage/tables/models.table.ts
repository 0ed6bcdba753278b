import type { Generated } from 'kysely';

export type ModelStatus = 'queued' | 'training' | 'ready' | 'failed' | 'cancelled';

export interface ModelsTable {
  seq: Generated<number>;
  model_id: string;
  name: string;
  algorithm_id: string;
  algorithm_type: string;
  version: number;
  /** target_id in force at training. */
  context_id: number;
  status: ModelStatus;
  status_text: string;
  /** 1 for at most one ready model. */
  active: number;
  /** JSON: parameter values by name. */
  params: string;
  /** JSON: the steps of the target as it was at training, inactive ones left out. */
  steps: string;
  /** JSON: blobs of the reference images of the steps, by key. */
  step_references: string;
  seed: number;
  /** Blob of the picture that stands for the model. */
  image_blob: string | null;
  ok_img_count: number;
  ng_img_count: number;
  training_time: number | null;
  accuracy: number | null;
  precision: number | null;
  recall: number | null;
  /** JSON: Calibration. */
  calibration: string | null;
  model_blob: string | null;
  backbone_id: string | null;
  backbone_blob: string | null;
  /** JSON: BackboneDescription. */
  backbone_description: string | null;
  threshold: number;
  ignore_outer: string;
  min_detected_area: number;
  /** JSON: Refinement, where it was made from another model by teaching it items. */
  refinement: string | null;
  callback_url: string | null;
  callback_method: 'post' | 'get' | null;
  created_at: string;
  updated_at: string;
}

export interface ModelItemsTable {
  model_id: string;
  item_id: string;
}
